import type { RunDetails } from '@service/client';
import type { ReactNode } from 'react';
import { useFormats } from '../../parts/format.js';
import { Instant } from '../../parts/instant.js';
import { LongText } from '../../parts/long-text.js';
import { StatusIcon } from '../../parts/run-status.js';
import classes from './attempts.module.css';
import { useRunText } from './text.js';

/** An attempt's end as the status whose colour and shape it has. */
const LOOKS = {
  completed: 'completed',
  failed: 'failed',
  timeout: 'failed',
  lost: 'failed',
  interrupted: 'retrying',
  cancelled: 'cancelled',
  running: 'running',
} as const;

/** A length of time; instants are milliseconds of the clock. */
interface Span {
  readonly from: number;
  readonly until: number;
}

/** Where a part of the run stands between its creation and its end, in percent. */
function placeOf(part: Span, whole: Span): { left: string; width: string } {
  const length = Math.max(whole.until - whole.from, 1);
  return {
    left: `${((part.from - whole.from) / length) * 100}%`,
    width: `max(4px, ${((part.until - part.from) / length) * 100}%)`,
  };
}

function instantOf(iso: string): number {
  return new Date(iso).getTime();
}

/** The attempts of a run on one time line, each after what it waited for, and what became of each. */
export function Attempts({ run, now }: { run: RunDetails; now: number }): ReactNode {
  const t = useRunText();
  const formats = useFormats();
  if (run.attempts.length === 0) return <p className={classes.none}>{t('noAttempts')}</p>;
  const whole = {
    from: instantOf(run.created_at),
    until: run.completed_at === null ? now : instantOf(run.completed_at),
  };
  return (
    <ol className={classes.attempts}>
      {run.attempts.map((attempt, index) => {
        const outcome = attempt.outcome ?? 'running';
        const before = run.attempts[index - 1]?.completed_at ?? run.created_at;
        const wait = { from: instantOf(before), until: instantOf(attempt.started_at) };
        const work = {
          from: wait.until,
          until: attempt.completed_at === null ? whole.until : instantOf(attempt.completed_at),
        };
        return (
          <li key={attempt.number} data-look={LOOKS[outcome]}>
            <div className={classes.head}>
              <span className={classes.outcome}>
                <StatusIcon status={LOOKS[outcome]} />
                {t('attempt', { number: attempt.number })}
              </span>
              <span className={classes.facts}>
                <span className={classes.waited}>
                  {t('waited', { time: formats.duration(Math.max(0, wait.until - wait.from)) })}
                </span>
                {' · '}
                {t(`outcome_${outcome}`)}
                {attempt.status_code !== null && <> · {t('httpStatus', { status: attempt.status_code })}</>}
                {attempt.duration_ms !== null && <> · {formats.duration(attempt.duration_ms)}</>}
                {' · '}
                <Instant at={attempt.started_at} withSeconds />
              </span>
            </div>
            <div className={classes.track} aria-hidden>
              <span data-wait style={placeOf(wait, whole)} />
              <span style={placeOf(work, whole)} />
            </div>
            {attempt.error !== null && attempt.error !== run.error?.message && (
              <div className={classes.error}>
                <LongText>{attempt.error}</LongText>
              </div>
            )}
          </li>
        );
      })}
    </ol>
  );
}
