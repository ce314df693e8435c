import { CommandError } from '../command-error.js';
import { EXIT } from '../exit-codes.js';

/** Questions go to standard error, so that standard output is the result alone. */
const CONTEXT = { output: process.stderr };

/** @param otherwise what to do where nobody can be asked */
function demandTerminal(otherwise: string): void {
  if (process.stdin.isTTY && process.stderr.isTTY) return;
  throw new CommandError(`there is no terminal to ask at; ${otherwise}`, EXIT.usage);
}

/** Asks without showing what is typed. */
export async function askSecret(message: string, otherwise: string): Promise<string> {
  demandTerminal(otherwise);
  const { default: password } = await import('@inquirer/password');
  return await interruptible(password({ message, mask: false }, CONTEXT));
}

export async function askText(message: string, otherwise: string): Promise<string> {
  demandTerminal(otherwise);
  const { default: input } = await import('@inquirer/input');
  return await interruptible(input({ message, required: true }, CONTEXT));
}

export async function askChoice<Value>(
  message: string,
  choices: readonly { readonly name: string; readonly value: Value }[],
  otherwise: string,
): Promise<Value> {
  demandTerminal(otherwise);
  const { default: select } = await import('@inquirer/select');
  return await interruptible(select({ message, choices: [...choices] }, CONTEXT));
}

/** No is what Return answers. */
export async function askConsent(message: string, otherwise: string): Promise<boolean> {
  demandTerminal(otherwise);
  const { default: confirm } = await import('@inquirer/confirm');
  return await interruptible(confirm({ message, default: false }, CONTEXT));
}

export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
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
