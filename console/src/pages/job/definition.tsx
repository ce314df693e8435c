import { definitionOf } from '@service/client';
import type { Job } from '@service/client';
import type { ReactNode } from 'react';
import { Facts } from '../../parts/facts.js';
import type { Fact } from '../../parts/facts.js';
import { useFormats } from '../../parts/format.js';
import { Identifier } from '../../parts/identifier.js';
import { Instant } from '../../parts/instant.js';
import { JsonView } from '../../parts/json-view.js';
import { Card } from '../../parts/page.js';
import { Changed } from './changed.js';
import classes from './job-page.module.css';
import { useJobText } from './text.js';

function useBackoffWords(): (backoff: Job['retry_backoff']) => string {
  const t = useJobText();
  const formats = useFormats();
  return ({ initial_ms: initial, max_ms: max, multiplier, jitter = 0 }) => {
    const first = formats.duration(Math.min(initial, max));
    const wait =
      multiplier === 1 || initial >= max
        ? t('backoffEven', { first })
        : t('backoffGrowing', {
            first,
            times: formats.number(multiplier),
            most: formats.duration(max),
          });
    return jitter === 0 ? wait : t('backoffJitter', { wait, share: formats.percent(jitter) });
  };
}

/** What most jobs leave as it is. */
function useUncommonFacts(job: Job): Fact[] {
  const t = useJobText();
  const formats = useFormats();
  const backoffWords = useBackoffWords();
  const declared = definitionOf(job);
  return [
    declared.retry_backoff != null && { name: t('backoff'), value: backoffWords(job.retry_backoff) },
    job.retry_on !== undefined && {
      name: t('retryOn'),
      value: t('statuses', { statuses: job.retry_on.status.join(', ') }),
    },
    job.priority !== 0 && { name: t('priority'), value: formats.number(job.priority) },
    job.concurrency !== undefined && {
      name: t('concurrencyOfValue'),
      value: t(job.concurrency.when_full ?? 'queue', {
        limit: formats.number(job.concurrency.limit),
        key: job.concurrency.key,
      }),
    },
    job.rate !== undefined && {
      name: t('rate'),
      value: t(job.rate.key === undefined ? 'attemptsWithin' : 'attemptsOfEachWithin', {
        limit: formats.number(job.rate.limit),
        time: formats.duration(job.rate.per_ms),
        key: job.rate.key,
      }),
    },
    job.debounce !== undefined && {
      name: t('debounce'),
      value: t(job.debounce.key === undefined ? 'untilQuiet' : 'untilQuietOfEach', {
        period: formats.duration(job.debounce.period_ms),
        key: job.debounce.key,
      }),
    },
    job.debounce?.max_ms !== undefined && {
      name: t('debouncedAtMost'),
      value: formats.duration(job.debounce.max_ms),
    },
    job.signing_secret !== undefined && {
      name: t('signedWith'),
      value: <code>{job.signing_secret}</code>,
    },
    job.start_within_ms !== undefined && {
      name: t('startWithin'),
      value: formats.duration(job.start_within_ms),
    },
    job.retention_days !== undefined && { name: t('kept'), value: t('days', { count: job.retention_days }) },
    job.acts_as === 'caller' && { name: t('actsAs'), value: t('itsCaller') },
    job.permissions !== undefined && {
      name: t('mayDo'),
      value: job.permissions.length === 0 ? t('nothing') : <code>{job.permissions.join(', ')}</code>,
    },
    job.invocable_by !== undefined && { name: t('invocableBy'), value: t('everyUser') },
  ].filter((fact) => fact !== false);
}

/** How the job runs, in words, and all of it as the manifest has it. */
export function Definition({ job }: { job: Job }): ReactNode {
  const t = useJobText();
  const formats = useFormats();
  const uncommon = useUncommonFacts(job);
  const most = job.max_concurrent_runs;
  const isEndpoint = job.signing_secret !== undefined;
  const handler = { name: t('handler'), value: <code>{job.handler}</code>, isLong: isEndpoint };
  return (
    <Card>
      <Facts
        facts={[
          ...(isEndpoint ? [handler] : []),
          { name: t('id'), value: <Identifier value={job.id} what={t('id')} /> },
          ...(isEndpoint ? [] : [handler]),
          { name: t('timeout'), value: formats.duration(job.timeout_ms) },
          { name: t('retries'), value: formats.number(job.retries) },
          { name: t('concurrency'), value: most === null ? t('unlimited') : formats.number(most) },
          ...uncommon,
          { name: t('next'), value: <Instant at={job.next_fire_at} relative /> },
          { name: t('updated'), value: <Changed job={job} /> },
        ]}
      />
      <details className={classes.definition}>
        <summary>{t('definition')}</summary>
        <JsonView value={definitionOf(job)} label={t('definition')} />
      </details>
    </Card>
  );
}
