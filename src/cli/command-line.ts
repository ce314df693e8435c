import { reportFailure } from './failure-report.js';
import { buildProgram } from './program.js';

/**
 * Carries out one command line and reports what went wrong with it.
 * @param args without the program's own name
 * @returns the exit code
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  // Looked for by hand, since a faulty command line is not parsed to its end.
  const asJson = args.includes('--json');
  const program = buildProgram(asJson);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return await reportFailure(error, asJson);
  }
}
