import { text } from 'node:stream/consumers';

/** All of standard input, without the line's end that `echo` and editors add. */
export async function readStandardInput(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}
