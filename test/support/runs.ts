import pLimit from 'p-limit';
import type { Client, RunBody } from './client.js';
import type { OpenDatabase } from './database.js';
import { until } from './until.js';

/** With more at one time, some would wait for a database connection longer than a request may take. */
const CALLERS = 50;

const FINAL = ['completed', 'failed', 'cancelled'];

/** Registers jobs that have the names of their handlers. */
export async function registerJobs(
  client: Client,
  jobs: Readonly<Record<string, Record<string, unknown>>>,
): Promise<void> {
  const manifest = Object.entries(jobs).map(([id, fields]) => ({ id, name: id, handler: id, ...fields }));
  const { status, body } = await client.post('/jobs/v1/jobs', { jobs: manifest });
  if (status !== 200) throw new Error(`registering answered ${status}: ${JSON.stringify(body)}`);
}

export async function trigger(
  client: Client,
  jobId: string,
  body: Record<string, unknown> = {},
): Promise<RunBody> {
  const accepted = await client.post<RunBody>(`/jobs/v1/jobs/${jobId}/trigger`, body);
  if (accepted.status !== 202) {
    throw new Error(`the trigger answered ${accepted.status}: ${JSON.stringify(accepted.body)}`);
  }
  return accepted.body;
}

export async function triggerMany(client: Client, jobId: string, count: number): Promise<string[]> {
  const atOnce = pLimit(CALLERS);
  const runs = await Promise.all(Array.from({ length: count }, () => atOnce(() => trigger(client, jobId))));
  return runs.map((run) => run.id);
}

/** Makes runs that wait due, whenever they were to begin. */
export async function makeDue(database: OpenDatabase, ids: readonly string[], agoMs = 0): Promise<void> {
  const due =
    'UPDATE runs_active SET due_at = now() - make_interval(secs => $2::float8 / 1000) WHERE id = ANY ($1)';
  await database.query(due, [ids, agoMs]);
  const tenants = 'SELECT DISTINCT tenant_id FROM runs_active WHERE id = ANY ($1)';
  await database.query(`SELECT recount_runs(tenant_id) FROM (${tenants}) changed`, [ids]);
}

export async function showRun(client: Client, runId: string): Promise<RunBody> {
  return (await client.get<RunBody>(`/jobs/v1/runs/${runId}`)).body;
}

/** The run as soon as it has this status. */
export async function runIn(
  client: Client,
  runId: string,
  statuses: readonly string[],
  limitMs = 60_000,
): Promise<RunBody> {
  let run = await showRun(client, runId);
  await until(
    async () => {
      run = await showRun(client, runId);
      return statuses.includes(run.status);
    },
    limitMs,
    () => `The run: ${JSON.stringify(run)}`,
  );
  return run;
}

/** The run once it has ended. */
export async function endedRun(client: Client, runId: string, limitMs?: number): Promise<RunBody> {
  return await runIn(client, runId, FINAL, limitMs);
}

/** Milliseconds from the end of each attempt to the start of the next. */
export function gapsOf(run: RunBody): number[] {
  return run.attempts.slice(1).map((attempt, index) => {
    const before = run.attempts[index]?.completed_at;
    return before == null ? Number.NaN : Date.parse(attempt.started_at) - Date.parse(before);
  });
}
