import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { ImportProblem, ImportProgress } from '../../../client/src/index.js';
import { CommandError, EXIT } from '../command-error.js';
import { asTyped } from '../environment.js';
import { sanitizeForTerminal } from '../terminal.js';
import type { Terminal } from '../terminal.js';
import { decoderOf } from './decode.js';
import { untilInterrupted } from './interruption.js';
import { connectToUsers } from './users.js';
import type { UsersServer } from './users.js';

export interface ImportCommandOptions extends UsersServer {
  readonly from: number;
  /** A file that gets a line of JSON for each line that became no account. */
  readonly report?: string;
}

/** Of each kind, so that a file of nothing but errors does not fill the screen. */
const MOST_SHOWN = 20;

/** Where problems go: a file, and the first few to people. */
class Problems {
  private readonly file;
  private shown = 0;

  constructor(
    private readonly terminal: Terminal,
    path: string | undefined,
  ) {
    this.file = path === undefined ? null : createWriteStream(path, { flags: 'a', mode: 0o600 });
  }

  add(problem: ImportProblem): void {
    this.file?.write(`${JSON.stringify(problem)}\n`);
    if (problem.code === 'exists') return;
    this.shown += 1;
    if (this.shown > MOST_SHOWN) return;
    const { line, email, message, hint } = problem;
    const whose = email === null ? '' : ` (${email})`;
    this.terminal.note(sanitizeForTerminal(`Line ${line}${whose}: ${message} ${hint}`));
  }

  async end(): Promise<void> {
    if (this.shown > MOST_SHOWN) {
      const where = this.file === null ? 'Write all of them into a file with --report.' : '';
      this.terminal.note(`… and ${this.shown - MOST_SHOWN} more. ${where}`.trimEnd());
    }
    if (this.file === null) return;
    this.file.end();
    await finished(this.file);
  }
}

/** `users import`: in requests of 1,000 lines, one after the other. */
export async function importUsers(
  terminal: Terminal,
  path: string,
  { from, report, ...server }: ImportCommandOptions,
): Promise<void> {
  const { size } = await stat(path).catch(() => {
    throw new CommandError(`there is no file ${path}`, EXIT.usage);
  });
  const users = await connectToUsers(server);
  const problems = new Problems(terminal, report);
  const source = createReadStream(path);
  const text = decodedLines(path, source);
  let latest: ImportProgress = { nextLine: from, created: 0, skipped: 0, refused: 0 };
  const onProgress = (progress: ImportProgress): void => {
    latest = progress;
    const part = size === 0 ? 100 : Math.floor((100 * source.bytesRead) / size);
    terminal.progress(`${progress.nextLine - 1} lines, ${part} % … ${summaryOf(progress)}`);
  };
  try {
    await untilInterrupted((signal) =>
      users.import(text, {
        from,
        signal,
        onProgress,
        onProblem: (problem) => {
          problems.add(problem);
        },
      }),
    );
  } catch (error) {
    const goOn = `users import ${path} --from ${latest.nextLine}`;
    terminal.note(`Lines up to ${latest.nextLine - 1} are imported. Go on with: ${asTyped(goOn)}`);
    throw error;
  } finally {
    source.destroy();
    await problems.end();
  }
  const { nextLine, ...counts } = latest;
  terminal.result({ lines: nextLine - 1, ...counts }, `${summaryOf(latest)}.`);
  if (latest.refused > 0)
    throw new CommandError(
      `${latest.refused} lines have to be corrected`,
      EXIT.failed,
      'Correct them and import the file again: lines that were imported change nothing.',
    );
}

/**
 * The text of a file, which may be large, piece by piece: in UTF-8, or UTF-16 by its byte order mark.
 * @throws CommandError where it is neither, with the line
 */
async function* decodedLines(path: string, source: AsyncIterable<unknown>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let line = 1;
  const decode = (bytes?: Buffer): string => {
    decoder ??= decoderOf(bytes ?? new Uint8Array());
    try {
      const text = decoder.decode(bytes, { stream: bytes !== undefined });
      line += text.split('\n').length - 1;
      return text;
    } catch {
      const where = `${path} is not ${decoder.encoding.toUpperCase()}, in line ${line} or a later one`;
      throw new CommandError(`${where}; save it as UTF-8`, EXIT.usage);
    }
  };
  for await (const bytes of source) yield decode(bytes as Buffer);
  yield decode();
}

function summaryOf({ created, skipped, refused }: ImportProgress): string {
  return `${created} created, ${skipped} existed, ${refused} refused`;
}
