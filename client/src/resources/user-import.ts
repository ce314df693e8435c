import type { CallOptions } from '../http/call.js';
import type { ImportProblem, ImportReport } from '../shapes.js';

/** Less than the service accepts in one request. */
const MAX_LINES = 1_000;
const MAX_LINE_CHARACTERS = 65_536;
/** The maximum size of a request: `server.body_limit_bytes` is 1 MiB by default. */
export const MAX_IMPORT_BYTES = 786_432;

/** An account of another system; see docs/accounts.md for the forms of `password_hash`. */
export interface ImportedUser {
  readonly email: string;
  readonly email_verified?: boolean | undefined;
  readonly password_hash?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly created_at?: string | undefined;
  /** In the organization profile. */
  readonly organizations?: readonly { readonly slug: string; readonly role: string }[] | undefined;
  /** In the project profile: the ref of a project. */
  readonly project?: string | undefined;
}

/** Newline-delimited JSON, complete or in chunks that may end anywhere, or the accounts themselves. */
export type ImportSource = string | readonly ImportedUser[] | AsyncIterable<string>;

export interface ImportProgress {
  /** The next line that has not been imported. */
  readonly nextLine: number;
  readonly created: number;
  /** Addresses that already had an account, which is unchanged. */
  readonly skipped: number;
  /** Lines with errors to correct. */
  readonly refused: number;
}

export interface ImportOptions extends CallOptions {
  /** Continues at this line, counted from 1. */
  readonly from?: number | undefined;
  /** Called after each request. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Called for each line that created no account, including skipped ones, in order. */
  readonly onProblem?: ((problem: ImportProblem) => void) | undefined;
}

/** Sends lines, the first of which has this number in the whole file. May send them again. */
export type SendLines = (
  lines: string,
  firstLine: number,
  headers: Readonly<Record<string, string>>,
) => Promise<ImportReport>;

async function* piecesOf(source: ImportSource): AsyncGenerator<string> {
  if (typeof source === 'string') yield source;
  else if (Symbol.asyncIterator in source) yield* source;
  else for (const user of source) yield `${JSON.stringify(user)}\n`;
}

/** A line that is too long is not sent completely. */
function shortened(line: string): string {
  return line.slice(0, MAX_LINE_CHARACTERS + 1);
}

async function* linesOf(source: ImportSource): AsyncGenerator<string> {
  let rest = '';
  let isFirst = true;
  for await (const piece of piecesOf(source)) {
    const lines = (rest + piece).split('\n');
    rest = shortened(lines.pop() ?? '');
    for (const line of lines) {
      yield shortened(isFirst ? line.replace(/^\uFEFF/, '') : line);
      isFirst = false;
    }
  }
  if (rest !== '') yield isFirst ? rest.replace(/^\uFEFF/, '') : rest;
}

/**
 * Imports users in requests of limited size. A request without an answer is repeated: a line whose address has an
 * account changes nothing.
 * @throws ServiceError if a request failed for good; everything reported to `onProgress` until then is imported
 */
export async function importUsers(
  source: ImportSource,
  maxBytes: number,
  { from = 1, signal, onProgress, onProblem }: ImportOptions,
  send: SendLines,
): Promise<ImportProgress> {
  let progress: ImportProgress = { nextLine: from, created: 0, skipped: 0, refused: 0 };
  let waiting: string[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    signal?.throwIfAborted();
    // Makes the client repeat the request. The service does not need a key for this.
    const headers = {
      'Content-Type': 'application/x-ndjson',
      'Idempotency-Key': `line-${progress.nextLine}`,
    };
    const report = await send(`${waiting.join('\n')}\n`, progress.nextLine, headers);
    for (const problem of report.problems) onProblem?.(problem);
    progress = {
      nextLine: progress.nextLine + waiting.length,
      created: progress.created + report.created,
      skipped: progress.skipped + report.skipped,
      refused: progress.refused + report.refused,
    };
    [waiting, bytes] = [[], 0];
    onProgress?.(progress);
  };
  let number = 0;
  for await (const line of linesOf(source)) {
    number += 1;
    if (number < from) continue;
    const size = new TextEncoder().encode(line).length + 1;
    if (waiting.length === MAX_LINES || bytes + size > maxBytes) await flush();
    waiting.push(line);
    bytes += size;
  }
  await flush();
  return progress;
}
