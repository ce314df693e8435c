import { buffer } from 'node:stream/consumers';
import { CommandError, EXIT } from '../command-error.js';

/**
 * All of standard input, without the line's end that `echo` and editors add.
 * @throws CommandError when it is not UTF-8: other bytes would be stored changed
 */
export async function readStandardInput(): Promise<string> {
  const bytes = await buffer(process.stdin);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.replace(/\r?\n$/, '');
  } catch {
    throw new CommandError(
      'standard input is not UTF-8 text; encode bytes as text, such as base64',
      EXIT.usage,
    );
  }
}
