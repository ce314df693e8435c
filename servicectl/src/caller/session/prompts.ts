import { buffer } from 'node:stream/consumers';
import { CommandError, EXIT } from '../../command-error.js';
import { oneLine } from '../../terminal.js';
import type { Terminal } from '../../terminal.js';
import { decode } from '../decode.js';

/** Questions go to standard error, so that standard output is the result alone. */
const CONTEXT = { output: process.stderr };

/** @param otherwise what to do where nobody can be asked */
function requirePerson(terminal: Terminal, otherwise: string): void {
  if (canAsk(terminal)) return;
  if (terminal.asJson) throw new CommandError(`--json does not ask; ${otherwise}`, EXIT.usage);
  throw new CommandError(`the command cannot ask without a terminal; ${otherwise}`, EXIT.usage);
}

/** Asks without showing what is typed. */
export async function askSecret(terminal: Terminal, message: string, otherwise: string): Promise<string> {
  requirePerson(terminal, otherwise);
  const { default: password } = await import('@inquirer/password');
  return await interruptible(password({ message, mask: false }, CONTEXT));
}

export async function askText(terminal: Terminal, message: string, otherwise: string): Promise<string> {
  requirePerson(terminal, otherwise);
  const { default: input } = await import('@inquirer/input');
  return await interruptible(input({ message, required: true }, CONTEXT));
}

export async function askChoice<Value>(
  terminal: Terminal,
  message: string,
  choices: readonly { readonly name: string; readonly value: Value }[],
  otherwise: string,
): Promise<Value> {
  requirePerson(terminal, otherwise);
  const { default: select } = await import('@inquirer/select');
  return await interruptible(select({ message, choices: [...choices] }, CONTEXT));
}

/** No is what Return answers. */
export async function askConsent(terminal: Terminal, message: string, otherwise: string): Promise<boolean> {
  requirePerson(terminal, otherwise);
  const { default: confirm } = await import('@inquirer/confirm');
  return await interruptible(confirm({ message, default: false }, CONTEXT));
}

/** @throws CommandError when the user does not agree */
export async function refuseWithoutConsent(
  terminal: Terminal,
  yes: boolean | undefined,
  question: string,
  otherwise: string,
): Promise<void> {
  if (yes === true || (await askConsent(terminal, oneLine(question), otherwise))) return;
  throw new CommandError('nothing was changed');
}

export function canAsk({ asJson }: Terminal): boolean {
  return !asJson && process.stdin.isTTY && process.stderr.isTTY;
}

async function interruptible<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new CommandError('interrupted', EXIT.interrupted);
    throw error;
  }
}

/**
 * All of standard input, without the line's end that `echo` and editors add.
 * @throws CommandError when it is no text: other bytes would be stored changed
 */
export async function readStandardInput(): Promise<string> {
  const text = decode(
    await buffer(process.stdin),
    (charset) =>
      new CommandError(
        `standard input is not ${charset} text; encode bytes as text, such as base64`,
        EXIT.usage,
      ),
  );
  return text.replace(/\r?\n$/, '');
}
