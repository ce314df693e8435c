import { CommandError, EXIT } from '../command-error.js';

/**
 * Does the work with a signal that Ctrl-C aborts.
 * @param hint what is left to do then
 * @throws CommandError `interrupted`
 */
export async function untilInterrupted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  hint?: string,
): Promise<Result> {
  const controller = new AbortController();
  const interruption = new CommandError('interrupted', EXIT.interrupted, hint);
  const abort = (): void => {
    controller.abort(interruption);
  };
  process.once('SIGINT', abort);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', abort);
  }
}

/** The same for work that the user ends by Ctrl-C: the command succeeds. */
export async function untilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  try {
    await untilInterrupted(work);
  } catch (error) {
    if (!(error instanceof CommandError) || error.exitCode !== EXIT.interrupted) throw error;
    // After the ^C that the terminal has shown.
    if (process.stderr.isTTY) process.stderr.write('\n');
  }
}
