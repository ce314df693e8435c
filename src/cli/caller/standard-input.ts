import { buffer } from 'node:stream/consumers';
import { CommandError } from '../command-error.js';
import { EXIT } from '../exit-codes.js';

/**
 * All of standard input, without the line's end that `echo` and editors add.
 * @throws CommandError when it is no text: bytes would be kept as other ones
 */
export async function readStandardInput(): Promise<string> {
  const bytes = await buffer(process.stdin);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.replace(/\r?\n$/, '');
  } catch {
    throw new CommandError(
      'standard input is no UTF-8 text; of bytes give a text, as base64 does',
      EXIT.usage,
    );
  }
}
