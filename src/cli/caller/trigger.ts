import { randomUUID } from 'node:crypto';
import type { Terminal } from '../terminal.js';
import { connect } from './connection.js';
import type { ServerOptions } from './connection.js';
import { showNewRun } from './following.js';
import type { WaitOptions } from './following.js';
import { withJob } from './job-names.js';
import { readPayload } from './payload.js';

export interface TriggerOptions extends ServerOptions, WaitOptions {
  readonly payload?: string;
  /** Milliseconds. */
  readonly delay?: number;
  readonly idempotencyKey?: string;
}

/** Triggers a job once: a call whose answer was lost is repeated under the same idempotency key. */
export async function trigger(terminal: Terminal, job: string, options: TriggerOptions): Promise<void> {
  const payload = options.payload === undefined ? null : await readPayload(options.payload);
  const { client } = await connect(options);
  const fields = [
    ...(payload === null ? [] : [`"payload":${payload}`]),
    ...(options.delay === undefined ? [] : [`"delay_ms":${options.delay}`]),
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
