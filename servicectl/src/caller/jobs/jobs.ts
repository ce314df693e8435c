import type { Job } from '../../../../client/src/index.js';
import { facts, table } from '../../table.js';
import type { Terminal } from '../../terminal.js';
import { asTyped } from '../../environment.js';
import { connect } from '../session/connection.js';
import type { ServerOptions } from '../session/connection.js';
import { refuseWithoutConsent } from '../session/prompts.js';
import { withJob } from './job-names.js';
import { statusCell } from '../runs/run-text.js';
import { timeSpanText } from '../time-spans.js';

type Trigger = Job['triggers'][number];

const COLUMNS = [
  { heading: 'JOB', shortens: true },
  { heading: 'NAME', leftOut: 2, shortens: true },
  { heading: 'TRIGGERS', leftOut: 3, shortens: true },
  { heading: 'NEXT' },
  { heading: 'LAST RUN' },
  { heading: 'AT', leftOut: 1 },
] as const;

const PAUSED = { text: 'paused', colour: 'yellow' } as const;

export async function listJobs(terminal: Terminal, server: ServerOptions): Promise<void> {
  const { client } = await connect(server);
  const jobs = await client.jobs.list({ limit: 100 }).all();
  const rows = jobs.map((job) => [
    job.id,
    job.name,
    job.triggers.map(triggerText).join(', '),
    job.paused ? PAUSED : terminal.instant(job.next_fire_at),
    job.last_run === null ? '' : statusCell(job.last_run.status),
    terminal.instant(job.last_run?.created_at ?? null),
  ]);
  terminal.result(
    jobs,
    jobs.length === 0
      ? `There are no jobs. Deploy some: ${asTyped('deploy <bundle>')}`
      : table(terminal, COLUMNS, rows),
  );
}

export async function showJob(terminal: Terminal, id: string, server: ServerOptions): Promise<void> {
  const { client } = await connect(server);
  const job = await withJob(client, id, (known) => client.jobs.get(known));
  const { initial_ms, max_ms, multiplier } = job.retry_backoff;
  terminal.result(
    job,
    facts(terminal, {
      Job: job.id,
      Name: job.name,
      Description: job.description,
      Handler: job.handler,
      'Signed with': job.signing_secret ?? null,
      'Time limit': timeSpanText(job.timeout_ms),
      Retries:
        job.retries === 0
          ? 'none'
          : `${job.retries}, after ${timeSpanText(initial_ms)} times ${multiplier} each, up to ${timeSpanText(max_ms)}`,
      Triggers: job.triggers.map(triggerText).join(', ') || 'none; it runs when you trigger it',
      'At a time': job.max_concurrent_runs === null ? null : String(job.max_concurrent_runs),
      Priority: String(job.priority),
      'Must start': job.start_within_ms === undefined ? null : `within ${timeSpanText(job.start_within_ms)}`,
      Paused: job.paused ? { text: 'yes', colour: 'yellow' } : 'no',
      Next: terminal.instant(job.next_fire_at),
      'Last run':
        job.last_run === null
          ? null
          : `${job.last_run.id} ${job.last_run.status} at ${terminal.instant(job.last_run.created_at)}`,
      Changed: terminal.instant(job.updated_at),
    }),
  );
}

/** The coming instants of each schedule. */
export async function showNext(
  terminal: Terminal,
  id: string,
  { count, ...server }: ServerOptions & { count: number },
): Promise<void> {
  const { client } = await connect(server);
  const schedules = await withJob(client, id, (known) => client.jobs.next(known, { count }));
  const lines = schedules.flatMap(({ schedule, timezone, next }) => [
    `${schedule} (${timezone})`,
    ...next.map((instant) => `  ${terminal.instant(instant)}`),
  ]);
  terminal.result(schedules, lines.length === 0 ? 'The job has no schedule.' : lines.join('\n'));
}

/** @param id null for all jobs */
export async function setPaused(
  terminal: Terminal,
  id: string | null,
  paused: boolean,
  server: ServerOptions,
): Promise<void> {
  const { client } = await connect(server);
  if (id === null) {
    const changes = await (paused ? client.jobs.pauseAll() : client.jobs.resumeAll());
    const changed = changes.filter(({ change }) => change === 'updated').length;
    terminal.result(changes, `${paused ? 'Paused' : 'Resumed'} ${changed} of ${changes.length} jobs.`);
    return;
  }
  const job = await withJob(client, id, (known) =>
    paused ? client.jobs.pause(known) : client.jobs.resume(known),
  );
  terminal.result(
    job,
    job.paused ? `Paused ${job.id}. It still runs when you trigger it.` : `Resumed ${job.id}.`,
  );
}

export async function deleteJob(
  terminal: Terminal,
  id: string,
  { yes, ...server }: ServerOptions & { yes?: boolean },
): Promise<void> {
  const { client } = await connect(server);
  await refuseWithoutConsent(
    terminal,
    yes,
    `Delete ${id}, and cancel its waiting runs?`,
    'say --yes to delete it',
  );
  await withJob(client, id, (known) => client.jobs.delete(known));
  terminal.result({ id, deleted: true }, `Deleted ${id}. The history of its runs stays.`);
}

function triggerText(trigger: Trigger): string {
  if (trigger.type === 'cron') return `cron ${trigger.schedule}`;
  if (trigger.type === 'event') {
    const { events, after_ms: afterMs, unless } = trigger;
    const later = afterMs === undefined ? '' : ` after ${afterMs} ms`;
    return `events ${events.join(', ')}${later}${unless === undefined ? '' : ` unless ${unless.join(', ')}`}`;
  }
  return trigger.type === 'webhook' ? `webhook ${trigger.path}` : `changes of ${trigger.table}`;
}
