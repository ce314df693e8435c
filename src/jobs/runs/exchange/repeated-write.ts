import { setTimeout as wait } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../../../platform/database/index.js';

/** With pauses of `timing.runs.retry_ms`, half a minute in total by default. */
const TRIES = 60;

/**
 * Tries again while the database is unavailable: the handler has done its work, and doing it twice is worse than waiting.
 * @param write gets whether an earlier try may have been committed although its reply was lost
 */
export async function repeatWrite<Result>(
  pauseMs: number,
  write: (mayBeWritten: boolean) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write(tries > 1);
    } catch (error) {
      if (!isDatabaseUnavailable(error) || tries >= TRIES) throw error;
      await wait(pauseMs);
    }
  }
}
