import { CommanderError } from 'commander';
import { CommandError } from './command-error.js';
import { EXIT } from './exit-codes.js';
import { buildProgram } from './program.js';

/**
 * Carries out one command line and reports what went wrong with it.
 * @param args without the program's own name
 * @returns the exit code
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  try {
    await buildProgram().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  const exitCode = error instanceof CommandError ? error.exitCode : EXIT.failed;
  // Problems of the configuration are a list under a heading of its own.
  process.stderr.write(`${exitCode === EXIT.configuration ? '' : 'error: '}${messageOf(error)}\n`);
  return exitCode;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of several addresses that refuse, each has a reason of its own.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error.message;
}
