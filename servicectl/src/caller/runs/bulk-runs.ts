import { setTimeout as delay } from 'node:timers/promises';
import type { OrganizationClient, RunFilter, RunOperation, RunStatus } from '../../../../client/src/index.js';
import { CommandError, EXIT } from '../../command-error.js';
import type { Terminal } from '../../terminal.js';
import { untilInterrupted } from '../interruption.js';
import { connect } from '../session/connection.js';
import type { ServerOptions } from '../session/connection.js';
import { refuseWithoutConsent } from '../session/prompts.js';

const POLL_MS = 500;

export interface BulkOptions extends ServerOptions {
  readonly job?: string;
  readonly status?: readonly RunStatus[];
  readonly since?: Date;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Whether the command names runs by a filter in place of an id. */
export function hasFilter({ job, status, since, dryRun }: BulkOptions): boolean {
  return [job, status, since, dryRun].some((option) => option !== undefined);
}

const WORDS = {
  retry: { ask: 'Retry', done: 'Retried' },
  cancel: { ask: 'Cancel', done: 'Cancelled' },
} as const;

/** Retries or cancels all runs that match, after a preview of how many, and waits until all are dealt with. */
export async function changeRuns(
  terminal: Terminal,
  action: keyof typeof WORDS,
  { job, status, since, dryRun = false, yes, ...server }: BulkOptions,
): Promise<void> {
  const { client } = await connect(server);
  const filter: RunFilter = { jobId: job, status, since };
  const begin = (options: { dryRun?: boolean }): ReturnType<OrganizationClient['runs']['retryAll']> =>
    action === 'retry'
      ? // Of a run and its retries, only the last one.
        client.runs.retryAll({ ...filter, retried: false }, options)
      : client.runs.cancelAll(filter, options);
  const preview = await begin({ dryRun: true });
  const { matched } = preview;
  if (dryRun || matched === 0) {
    terminal.result(preview, matched === 1 ? '1 run matches.' : `${matched} runs match.`);
    return;
  }
  const { ask, done } = WORDS[action];
  await refuseWithoutConsent(terminal, yes, `${ask} ${matched} runs?`, 'say --yes to do it');
  const begun = await begin({});
  const { operation_id: id } = begun;
  // The runs of the preview have ended, or were retried, meanwhile.
  if (id === undefined) {
    terminal.result(begun, '0 runs match.');
    return;
  }
  const ended = await untilInterrupted(
    (signal) => endOf(client, id, signal),
    'The operation goes on without this command.',
  );
  const succeeded = ended.done - ended.failed;
  const reasons = Object.entries(ended.errors).map(([code, count]) => `${code}: ${count}`);
  const failures = ended.failed === 0 ? '' : ` Failed: ${ended.failed} (${reasons.join(', ')}).`;
  terminal.result(ended, `${done} ${succeeded} of ${ended.total} runs.${failures}`);
  if (ended.failed > 0) throw new CommandError('not all runs were dealt with', EXIT.failed);
}

async function endOf(client: OrganizationClient, id: string, signal: AbortSignal): Promise<RunOperation> {
  for (;;) {
    const operation = await client.runs.operation(id, { signal });
    if (operation.completed_at !== null) return operation;
    await delay(POLL_MS, undefined, { signal });
  }
}
