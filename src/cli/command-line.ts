import type { Command } from 'commander';
import { reportFailure } from './failure-report.js';
import { buildProgram } from './program.js';

/** Runs the command line that the user typed, and ends the process with its exit code. */
export async function runTypedCommand(addOperatorCommands: (program: Command) => void): Promise<void> {
  // A reader may close the pipe early, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  process.exitCode = await runCommandLine(process.argv.slice(2), addOperatorCommands);
}

/**
 * Runs one command line and reports its failure.
 * @param args without the program's own name
 * @returns the exit code
 */
export async function runCommandLine(
  args: readonly string[],
  addOperatorCommands: (program: Command) => void,
): Promise<number> {
  // Commander stops at the first faulty argument, so it may not reach this one.
  const asJson = args.includes('--json');
  const program = buildProgram(addOperatorCommands, asJson);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return await reportFailure(error, asJson);
  }
}
