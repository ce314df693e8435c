import type {
  OrganizationClient,
  Run,
  RunDetails,
  RunStatus,
  RunTriggerType,
} from '../../../../client/src/index.js';
import { CommandError, EXIT } from '../../command-error.js';
import { sanitizeForTerminal } from '../../terminal.js';
import type { Terminal } from '../../terminal.js';
import { asTyped } from '../../environment.js';
import { untilInterrupted } from '../interruption.js';
import { inexactNumber } from '../json-text.js';
import { readJson } from '../payload.js';
import { logText, runLine, runDetailsText, runTable, writtenJson } from './run-text.js';
import { connect } from '../session/connection.js';
import type { ServerOptions } from '../session/connection.js';

export interface WaitOptions {
  /** Until the run has ended. */
  readonly wait?: boolean;
  /** Likewise, with its log lines as they come. */
  readonly follow?: boolean;
}

/**
 * Shows a new run, or as the options say how it ends.
 * @throws CommandError with an exit code of its own when it did not complete
 */
export async function showNewRun(
  terminal: Terminal,
  client: OrganizationClient,
  run: Run,
  { wait = false, follow = false }: WaitOptions,
): Promise<void> {
  if (!wait && !follow) {
    terminal.result(run, runLine(terminal, run));
    terminal.advise(`Follow it: ${asTyped(`logs -f ${run.id}`)}`);
    return;
  }
  if (!terminal.asJson) terminal.result(run, runLine(terminal, run));
  const ended = await untilInterrupted(
    async (signal) => {
      if (follow) {
        for await (const line of client.logs.follow({ runId: run.id, signal }))
          terminal.result(line, logText(terminal, line, false));
      }
      return await client.runs.wait(run.id, { signal });
    },
    `The run goes on. Stop it: ${asTyped(`runs cancel ${run.id}`)}`,
  );
  terminal.result(ended, outcomeText(terminal, ended));
  if (ended.status !== 'completed') throw new CommandError(`the run did not complete`, EXIT.runFailed);
}

function outcomeText(terminal: Terminal, run: RunDetails): string {
  const result = writtenResult(run);
  const shown = result === null ? '' : `\n${sanitizeForTerminal(result)}`;
  return `${runLine(terminal, run)}${shown}`;
}

/** With a member on each line, unless that would change a number. */
function writtenResult(run: RunDetails): string | null {
  const text = writtenJson(run, 'result');
  return text === null || inexactNumber(text) !== null ? text : JSON.stringify(run.result, null, 2);
}

/** The most that one page holds. */
const PAGE = 100;

export interface RunListOptions extends ServerOptions {
  readonly job?: string;
  readonly status?: readonly RunStatus[];
  readonly parent?: string;
  readonly trigger?: RunTriggerType;
  readonly since?: Date;
  readonly limit: number;
}

/** Newest first. */
export async function listRuns(
  terminal: Terminal,
  { job, status, parent, trigger, since, limit, ...server }: RunListOptions,
): Promise<void> {
  const { client } = await connect(server);
  const filter = { jobId: job, status, parentRunId: parent, trigger, since };
  const list = client.runs.list({ ...filter, limit: Math.min(limit, PAGE) });
  const runs = await list.all(limit);
  terminal.result(runs, runs.length === 0 ? 'There are no such runs.' : runTable(terminal, runs));
}

export async function showRun(terminal: Terminal, id: string, server: ServerOptions): Promise<void> {
  const { client } = await connect(server);
  const run = await client.runs.get(id);
  terminal.result(run, runDetailsText(terminal, run));
}

export async function cancelRun(
  terminal: Terminal,
  id: string,
  { children, ...server }: ServerOptions & { readonly children?: boolean },
): Promise<void> {
  const { client } = await connect(server);
  const run = await client.runs.cancel(id, { children });
  terminal.result(run, runLine(terminal, run));
}

export interface RetryOptions extends ServerOptions, WaitOptions {
  /** JSON, `@` and a file, or `-` for standard input. */
  readonly payload?: string;
}

/** A new run with the same payload, or with the one that is given. */
export async function retryRun(terminal: Terminal, id: string, options: RetryOptions): Promise<void> {
  const raw = options.payload === undefined ? undefined : `{"payload":${await readJson(options.payload)}}`;
  const { client } = await connect(options);
  const run = await client.api.post('/jobs/v1/runs/{id}/retry', { parameters: { id }, raw });
  await showNewRun(terminal, client, run, options);
}
