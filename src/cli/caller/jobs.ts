import type { Job } from '../../../client/src/index.js';
import { CommandError } from '../command-error.js';
import { facts, table } from '../terminal.js';
import type { Terminal } from '../terminal.js';
import { asTyped } from '../environment.js';
import { connect } from './connection.js';
import type { ServerOptions } from './connection.js';
import { askConsent } from './prompts.js';
import { instantText, timeSpanText } from './time-spans.js';

type Trigger = Job['triggers'][number];

export async function listJobs(terminal: Terminal, server: ServerOptions): Promise<void> {
  const { client } = await connect(server);
  const jobs = await client.jobs.list({ limit: 100 }).all();
  const rows = jobs.map((job) => [
    job.id,
    job.name,
    job.triggers.map(triggerText).join(', '),
    job.paused ? 'paused' : instantText(job.next_fire_at),
    job.last_run === null ? '' : `${job.last_run.status} ${instantText(job.last_run.created_at)}`,
  ]);
  terminal.result(
    jobs,
    jobs.length === 0
      ? `There are no jobs. Deploy some: ${asTyped('deploy <bundle>')}`
      : table([['JOB', 'NAME', 'TRIGGERS', 'NEXT', 'LAST RUN'], ...rows]),
  );
}

export async function showJob(terminal: Terminal, id: string, server: ServerOptions): Promise<void> {
  const { client } = await connect(server);
  const job = await client.jobs.get(id);
  const { initial_ms, max_ms, multiplier } = job.retry_backoff;
  terminal.result(
    job,
    facts({
      Job: job.id,
      Name: job.name,
      Description: job.description,
      Handler: job.handler,
      'Time limit': timeSpanText(job.timeout_ms),
      Retries:
        job.retries === 0
          ? 'none'
          : `${job.retries}, after ${timeSpanText(initial_ms)} times ${multiplier} each, up to ${timeSpanText(max_ms)}`,
      Triggers: job.triggers.map(triggerText).join(', ') || 'by hand alone',
      'At a time': job.max_concurrent_runs === null ? null : String(job.max_concurrent_runs),
      Paused: job.paused ? 'yes' : 'no',
      Next: instantText(job.next_fire_at),
      'Last run': job.last_run === null ? null : `${job.last_run.id} ${job.last_run.status}`,
      Changed: instantText(job.updated_at),
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
  const schedules = await client.jobs.next(id, { count });
  const lines = schedules.flatMap(({ schedule, timezone, next }) => [
    `${schedule} (${timezone})`,
    ...next.map((instant) => `  ${instantText(instant)}`),
  ]);
  terminal.result(schedules, lines.length === 0 ? 'The job has no schedule.' : lines.join('\n'));
}

export async function setPaused(
  terminal: Terminal,
  id: string,
  paused: boolean,
  server: ServerOptions,
): Promise<void> {
  const { client } = await connect(server);
  const job = paused ? await client.jobs.pause(id) : await client.jobs.resume(id);
  terminal.result(job, `${job.id} is ${job.paused ? 'paused; by hand it still runs' : 'not paused'}.`);
}

export async function deleteJob(
  terminal: Terminal,
  id: string,
  { yes, ...server }: ServerOptions & { yes?: boolean },
): Promise<void> {
  const { client } = await connect(server);
  const question = `Delete ${id}, and cancel its waiting runs?`;
  if (yes !== true && !(await askConsent(terminal, question, 'say --yes to delete it')))
    throw new CommandError('nothing was changed');
  await client.jobs.delete(id);
  terminal.result({ id, deleted: true }, `Deleted ${id}. The history of its runs stays.`);
}

function triggerText(trigger: Trigger): string {
  if (trigger.type === 'cron') return `cron ${trigger.schedule}`;
  return trigger.type === 'webhook' ? `webhook ${trigger.path}` : `changes of ${trigger.table}`;
}
