import type { LogLevel } from '../../../client/src/index.js';
import { CommandError } from '../command-error.js';
import { EXIT } from '../exit-codes.js';
import type { Terminal } from '../terminal.js';
import { connect } from './connection.js';
import type { ServerOptions } from './connection.js';
import { untilInterrupted } from './interruption.js';
import { logText } from './run-text.js';

/** The most that one page holds. */
const PAGE = 1_000;

export interface LogOptions extends ServerOptions {
  readonly follow?: boolean;
  readonly job?: string;
  readonly level?: LogLevel;
  readonly since?: Date;
  readonly limit: number;
}

/** Lines of a run, of a job, or of all; those there are, or with `follow` as they come. */
export async function showLogs(
  terminal: Terminal,
  runId: string | undefined,
  { follow = false, job: jobId, level, since, limit, ...server }: LogOptions,
): Promise<void> {
  if (runId !== undefined && jobId !== undefined)
    throw new CommandError('a run has one job; name the run or --job', EXIT.usage);
  const { client } = await connect(server);
  const filter = { runId, jobId, level, since };
  const ofSeveral = runId === undefined;
  if (!follow) {
    const lines = await client.logs.list({ ...filter, limit: Math.min(limit, PAGE) }).all(limit);
    if (terminal.asJson) terminal.result(lines, '');
    else if (lines.length === 0) terminal.note('There are no such lines.');
    else terminal.result(lines, lines.map((line) => logText(line, ofSeveral)).join('\n'));
    return;
  }
  await untilInterrupted(async (signal) => {
    for await (const line of client.logs.follow({ ...filter, signal }))
      terminal.result(line, logText(line, ofSeveral));
  });
}
