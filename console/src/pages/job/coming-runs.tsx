import type { ReactNode } from 'react';
import { Instant } from '../../parts/instant.js';
import { Card } from '../../parts/page.js';
import { useTriggerWords } from '../../tenant/trigger-words.js';
import { useLanguage } from '../../text/i18n.js';
import classes from './job-page.module.css';
import { useJobText } from './text.js';
import { COMING, useComing } from './use-job.js';

interface ComingRun {
  readonly at: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly trigger: number;
  /** Whether this is the last instant of its schedule that is shown, and more follow. */
  readonly goesOn: boolean;
}

/** By days of the browser's time zone, in order of time. */
function daysOf(runs: readonly ComingRun[]): [number, ComingRun[]][] {
  const days = new Map<number, ComingRun[]>();
  for (const run of [...runs].sort((left, right) => left.at.localeCompare(right.at))) {
    const day = new Date(run.at).setHours(0, 0, 0, 0);
    days.set(day, [...(days.get(day) ?? []), run]);
  }
  return [...days];
}

/** The next instants of a job's schedules, by day, of each as many; nothing where it has none. */
export function ComingRuns({ jobId }: { jobId: string }): ReactNode {
  const t = useJobText();
  const words = useTriggerWords();
  const language = useLanguage();
  const { data = [] } = useComing(jobId);
  const runs = data.flatMap(({ next, ...schedule }) =>
    next.map((at, index) => ({ at, ...schedule, goesOn: index === COMING - 1 })),
  );
  if (runs.length === 0) return null;
  const day = new Intl.DateTimeFormat(language, { weekday: 'long', month: 'long', day: 'numeric' });
  return (
    <Card flush title={t('coming')}>
      {daysOf(runs).map(([at, ofDay]) => (
        <section key={at} className={classes.day}>
          <h3>{day.format(at)}</h3>
          <ul>
            {ofDay.map((run) => (
              <li key={`${run.trigger} ${run.at}`}>
                <Instant at={run.at} withoutDay />
                {data.length > 1 && <code title={words.cron(run)}>{run.schedule}</code>}
                {run.goesOn && (
                  <span className={classes.goesOn}>{t('goesOn', { schedule: words.cron(run) })}</span>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Card>
  );
}
