import type { RunFilter } from '../../../../client/src/index.js';
import type { Terminal } from '../../terminal.js';
import { connect } from '../session/connection.js';
import type { ServerOptions } from '../session/connection.js';
import { showNewRun } from './following.js';
import type { WaitOptions } from './following.js';
import { runDetailsText, runLine, runTable } from './run-text.js';

/** The most that one page holds. */
const PAGE = 100;

export interface RunListOptions extends ServerOptions {
  readonly job?: string;
  readonly status?: NonNullable<RunFilter['status']>;
  readonly trigger?: NonNullable<RunFilter['trigger']>;
  readonly since?: Date;
  readonly limit: number;
}

/** Newest first. */
export async function listRuns(
  terminal: Terminal,
  { job, status, trigger, since, limit, ...server }: RunListOptions,
): Promise<void> {
  const { client } = await connect(server);
  const list = client.runs.list({ jobId: job, status, trigger, since, limit: Math.min(limit, PAGE) });
  const runs = await list.all(limit);
  terminal.result(runs, runs.length === 0 ? 'There are no such runs.' : runTable(terminal, runs));
}

export async function showRun(terminal: Terminal, id: string, server: ServerOptions): Promise<void> {
  const { client } = await connect(server);
  const run = await client.runs.get(id);
  terminal.result(run, runDetailsText(terminal, run));
}

export async function cancelRun(terminal: Terminal, id: string, server: ServerOptions): Promise<void> {
  const { client } = await connect(server);
  const run = await client.runs.cancel(id);
  terminal.result(run, runLine(terminal, run));
}

/** A new run with the same payload. */
export async function retryRun(
  terminal: Terminal,
  id: string,
  options: ServerOptions & WaitOptions,
): Promise<void> {
  const { client } = await connect(options);
  await showNewRun(terminal, client, await client.runs.retry(id), options);
}
