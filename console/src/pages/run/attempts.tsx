import type { RunDetails } from '@service/client';
import type { ReactNode } from 'react';
import { useFormats } from '../../parts/format.js';
import { Instant } from '../../parts/instant.js';
import { StatusIcon } from '../../parts/run-status.js';
import classes from './attempts.module.css';
import { useRunText } from './text.js';

type Attempt = RunDetails['attempts'][number];

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

/** Where an attempt stands between the run's creation and its end, in percent. */
function placeOf(
  { started_at, completed_at }: Attempt,
  from: number,
  until: number,
): { left: string; width: string } {
  const span = Math.max(until - from, 1);
  const start = new Date(started_at).getTime();
  const end = completed_at === null ? until : new Date(completed_at).getTime();
  return {
    left: `${((start - from) / span) * 100}%`,
    width: `max(4px, ${((end - start) / span) * 100}%)`,
  };
}

/** The attempts of a run on one time line, and what became of each. */
export function Attempts({ run, now }: { run: RunDetails; now: number }): ReactNode {
  const t = useRunText();
  const formats = useFormats();
  if (run.attempts.length === 0) return <p className={classes.none}>{t('noAttempts')}</p>;
  const from = new Date(run.created_at).getTime();
  const until = run.completed_at === null ? now : new Date(run.completed_at).getTime();
  return (
    <ol className={classes.attempts}>
      {run.attempts.map((attempt) => {
        const outcome = attempt.outcome ?? 'running';
        return (
          <li key={attempt.number} data-look={LOOKS[outcome]}>
            <div className={classes.head}>
              <span className={classes.outcome}>
                <StatusIcon status={LOOKS[outcome]} />
                {t('attempt', { number: attempt.number })}
              </span>
              <span className={classes.facts}>
                {t(`outcome_${outcome}`)}
                {attempt.status_code !== null && <> · {t('httpStatus', { status: attempt.status_code })}</>}
                {attempt.duration_ms !== null && <> · {formats.duration(attempt.duration_ms)}</>}
                {' · '}
                <Instant at={attempt.started_at} />
              </span>
            </div>
            <div className={classes.track} aria-hidden>
              <span style={placeOf(attempt, from, until)} />
            </div>
            {attempt.error !== null && (
              <div className={classes.error} dir="auto">
                {attempt.error}
              </div>
            )}
          </li>
        );
      })}
    </ol>
  );
}
