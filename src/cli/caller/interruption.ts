import { CommandError } from '../command-error.js';
import { EXIT } from '../exit-codes.js';

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
