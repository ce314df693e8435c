import type { LogLevel, LogLine, OrganizationClient } from '../../../../client/src/index.js';
import { CommandError, EXIT } from '../../command-error.js';
import { asTyped } from '../../environment.js';
import type { Terminal } from '../../terminal.js';
import { connect } from '../session/connection.js';
import type { ServerOptions } from '../session/connection.js';
import { untilStopped } from '../interruption.js';
import { logText } from './run-text.js';

/** The most that one page holds. */
const PAGE = 1_000;
/** Lines that are shown unless the user asks for more. */
const SHOWN = 100;

export interface LogOptions extends ServerOptions {
  readonly follow?: boolean;
  readonly job?: string;
  readonly level?: LogLevel;
  readonly since?: Date;
  /** How many of the newest lines. */
  readonly tail?: number;
  /** How many of the oldest lines. */
  readonly limit?: number;
}

/** Which lines. */
interface Filter {
  readonly runId: string | undefined;
  readonly jobId: string | undefined;
  readonly level: LogLevel | undefined;
  readonly since: Date | undefined;
}

/** Lines of a run, of a job, or of all, in the order of time; with `follow` also those to come. */
export async function showLogs(
  terminal: Terminal,
  runId: string | undefined,
  { follow = false, job: jobId, level, since, tail, limit, ...server }: LogOptions,
): Promise<void> {
  if (runId !== undefined && jobId !== undefined)
    throw new CommandError('a run has only one job; give the run or --job', EXIT.usage);
  if (tail !== undefined && limit !== undefined)
    throw new CommandError('--tail counts the newest lines and --limit the oldest; give one', EXIT.usage);
  if (follow && limit !== undefined)
    throw new CommandError('--limit cannot be combined with --follow; use --tail', EXIT.usage);
  const { client } = await connect(server);
  const filter = { runId, jobId, level, since };
  if (follow) {
    await untilStopped((signal) => followLogs(terminal, client, filter, tail, signal));
    return;
  }
  const { lines, hasMore } =
    limit === undefined
      ? await newestLines(client, filter, tail ?? SHOWN)
      : await oldestLines(client, filter, limit);
  if (terminal.asJson) terminal.result(lines, '');
  else if (lines.length === 0) terminal.note('There are no such lines.');
  else terminal.result(lines, lines.map((line) => logText(terminal, line, runId === undefined)).join('\n'));
  if (hasMore && tail === undefined && limit === undefined)
    terminal.advise(`These are the newest ${SHOWN} lines. See more: ${asTyped('logs --tail 1000')}`);
}

/** The newest lines in the order of time, and whether there are older ones. */
async function newestLines(
  client: OrganizationClient,
  filter: Filter,
  count: number,
): Promise<{ lines: LogLine[]; hasMore: boolean }> {
  if (count === 0) return { lines: [], hasMore: false };
  const list = client.logs.list({ ...filter, order: 'desc', limit: Math.min(count + 1, PAGE) });
  const found = await list.all(count + 1);
  return { lines: found.slice(0, count).reverse(), hasMore: found.length > count };
}

async function oldestLines(
  client: OrganizationClient,
  filter: Filter,
  count: number,
): Promise<{ lines: LogLine[]; hasMore: boolean }> {
  const lines = await client.logs.list({ ...filter, limit: Math.min(count, PAGE) }).all(count);
  return { lines, hasMore: false };
}

/** Without `tail` the stream begins as the server has it: of a run with its history, else with what is new. */
async function followLogs(
  terminal: Terminal,
  client: OrganizationClient,
  filter: Filter,
  tail: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const show = (line: LogLine): void => {
    terminal.result(line, logText(terminal, line, filter.runId === undefined));
  };
  const shown = tail === undefined ? [] : (await newestLines(client, filter, tail)).lines;
  shown.forEach(show);
  // The stream begins again at the last line, so that none is missed between the list and the stream.
  const since = shown.at(-1)?.at ?? filter.since;
  const seen = new Set(shown.filter(({ at }) => at === since).map(keyOf));
  for await (const line of client.logs.follow({ ...filter, since, signal })) {
    if (!seen.delete(keyOf(line))) show(line);
  }
}

function keyOf({ at, run_id, attempt, level, message }: LogLine): string {
  return JSON.stringify([at, run_id, attempt, level, message]);
}
