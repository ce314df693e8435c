import { CommandError, EXIT } from '../command-error.js';
import { readStandardInput } from './session/prompts.js';
import { textOfFile } from './text-file.js';

/**
 * The JSON object that an option gives, as `readJson` does.
 * @throws CommandError when it is not a JSON object
 */
export async function readObject(option: string): Promise<string> {
  const text = await readJson(option);
  if (text.trimStart().startsWith('{')) return text;
  throw new CommandError('the payload is not a JSON object: it must begin with {', EXIT.usage);
}

/**
 * The JSON that an option gives: itself, `@` and a file, or `-` for standard input. As it was written, since handlers get
 * it so: a number keeps its digits.
 * @throws CommandError when it is not JSON
 */
export async function readJson(option: string): Promise<string> {
  const text = await readText(option);
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`the payload is not JSON: ${reason}`, EXIT.usage);
  }
}

export async function readText(option: string): Promise<string> {
  if (option === '-') return await readStandardInput();
  if (!option.startsWith('@')) return option;
  return textOfFile(option.slice(1), EXIT.usage);
}
