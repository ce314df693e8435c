import { reportFailure } from './failure-report.js';
import { buildProgram } from './program.js';

/**
 * Carries out one command line and reports what went wrong with it.
 * @param args without the program's own name
 * @returns the exit code
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const program = buildProgram();
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return await reportFailure(error, program.opts<{ json?: boolean }>().json === true);
  }
}
