import { readFile } from 'node:fs/promises';
import { CommandError } from '../command-error.js';
import { EXIT } from '../exit-codes.js';
import { readStandardInput } from './standard-input.js';

/**
 * The JSON object that an option gives: itself, `@` and a file, or `-` for standard input. As it was written, since
 * handlers get it so: a number keeps its digits.
 * @throws CommandError when it is none
 */
export async function readPayload(option: string): Promise<string> {
  const text = await textOf(option);
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`the payload is no JSON: ${reason}`, EXIT.usage);
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw new CommandError('the payload is no JSON object: it begins with {', EXIT.usage);
  return text;
}

async function textOf(option: string): Promise<string> {
  if (option === '-') return await readStandardInput();
  if (!option.startsWith('@')) return option;
  const file = option.slice(1);
  return await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(`the payload cannot be read: ${(error as Error).message}`, EXIT.usage);
  });
}
