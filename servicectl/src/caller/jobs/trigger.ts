import { randomUUID } from 'node:crypto';
import { CommandError, EXIT } from '../../command-error.js';
import type { Terminal } from '../../terminal.js';
import { readObject, readText } from '../payload.js';
import { runTable } from '../runs/run-text.js';
import { showNewRun } from '../runs/runs.js';
import type { WaitOptions } from '../runs/runs.js';
import { connect } from '../session/connection.js';
import type { ServerOptions } from '../session/connection.js';
import { withJob } from './job-names.js';

export interface TriggerOptions extends ServerOptions, WaitOptions {
  readonly payload?: string;
  /** Milliseconds. */
  readonly delay?: number;
  readonly at?: Date;
  /** A file of items, or `-` for standard input. */
  readonly batch?: string;
  readonly idempotencyKey?: string;
}

/** Triggers a job once: a call whose answer was lost is repeated under the same idempotency key. */
export async function trigger(terminal: Terminal, job: string, options: TriggerOptions): Promise<void> {
  if (options.batch !== undefined) {
    await triggerBatch(terminal, job, options.batch, options);
    return;
  }
  const payload = options.payload === undefined ? null : await readObject(options.payload);
  const { client } = await connect(options);
  const fields = [
    ...(payload === null ? [] : [`"payload":${payload}`]),
    ...(options.delay === undefined ? [] : [`"delay_ms":${options.delay}`]),
    ...(options.at === undefined ? [] : [`"run_at":"${options.at.toISOString()}"`]),
  ];
  const key = options.idempotencyKey ?? randomUUID();
  const run = await withJob(client, job, (id) =>
    client.api.post('/jobs/v1/jobs/{id}/trigger', {
      parameters: { id },
      headers: { 'Idempotency-Key': key },
      body: {},
      raw: `{${fields.join(',')}}`,
    }),
  );
  await showNewRun(terminal, client, run, options);
}

/** Triggers a job for each item, all or none. The call is not repeated: only the items know whether they have keys. */
async function triggerBatch(
  terminal: Terminal,
  job: string,
  source: string,
  server: ServerOptions,
): Promise<void> {
  const items = itemsOf(await readText(source === '-' ? source : `@${source}`));
  const { client } = await connect(server);
  const { runs } = await withJob(client, job, (id) =>
    client.api.post('/jobs/v1/jobs/{id}/trigger/batch', {
      parameters: { id },
      body: { items: [] },
      raw: `{"items":${items}}`,
    }),
  );
  terminal.result(runs, runTable(terminal, runs));
}

/**
 * The items of a batch as a JSON list: as they were written, either as a list or one in each line.
 * @throws CommandError when they are neither
 */
export function itemsOf(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const list = text.trimStart().startsWith('[') ? text : `[${lines.join(',')}]`;
  try {
    JSON.parse(list);
    return list;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`the batch is neither a JSON list nor JSON lines: ${reason}`, EXIT.usage);
  }
}
