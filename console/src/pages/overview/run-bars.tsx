import { Tooltip } from '@mantine/core';
import type { Run } from '@service/client';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFormats } from '../../parts/format.js';
import { useStatusNames } from '../../parts/run-status.js';
import { useTenant } from '../../tenant/tenant.js';
import classes from './run-bars.module.css';

const LEAST = 12;

/** Long runs would make all others flat, so heights grow with the logarithm. */
function heightOf({ duration_ms }: Run, longest: number): number {
  if (duration_ms === null || longest <= 0) return LEAST;
  return LEAST + (100 - LEAST) * (Math.log1p(duration_ms) / Math.log1p(longest));
}

/** One bar a run: its colour says how it ended, its height how long it took. */
export function RunBars({ runs }: { runs: readonly Run[] }): ReactNode {
  const formats = useFormats();
  const names = useStatusNames();
  const { path } = useTenant();
  const longest = Math.max(0, ...runs.map(({ duration_ms }) => duration_ms ?? 0));
  return (
    <div className={classes.bars}>
      {runs.toReversed().map((run) => {
        const duration = run.duration_ms === null ? '' : ` · ${formats.duration(run.duration_ms)}`;
        const label = `${run.job_id} · ${names[run.status]}${duration} · ${formats.instant(run.created_at)}`;
        return (
          <Tooltip key={run.id} label={label} openDelay={80}>
            <Link
              to={`${path}/runs/${run.id}`}
              aria-label={label}
              data-status={run.status}
              className={classes.bar}
            >
              <span style={{ height: `${heightOf(run, longest)}%` }} />
            </Link>
          </Tooltip>
        );
      })}
    </div>
  );
}
