import type { Readable } from 'node:stream';

/** More than a line may keep, so that the reader of lines sees that it has to cut. */
const MAX_PENDING_CHARACTERS = 16 * 1024;

/** Calls back for each line of a text stream; of a line without end only the beginning is held in memory. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let pending = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const [first = '', ...rest] = text.split('\n');
    pending += first.slice(0, MAX_PENDING_CHARACTERS - pending.length);
    for (const next of rest) {
      if (pending !== '') onLine(pending);
      pending = next.slice(0, MAX_PENDING_CHARACTERS);
    }
  });
  stream.on('end', () => {
    if (pending !== '') onLine(pending);
  });
  // A child that dies may break its pipe; its exit is reported elsewhere.
  stream.on('error', () => undefined);
}
