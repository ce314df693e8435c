import { jest } from '@jest/globals';
import { Clock } from '../../src/platform/lifecycle/index.js';
import type { ServiceInProcess } from './service-in-process.js';

/**
 * Stops the clock by which caches of this process expire, until `mockRestore`. Then they only drop entries because of
 * notifications.
 */
export function stopExpiry(): { mockRestore: () => void } {
  const at = performance.now();
  return jest.spyOn(performance, 'now').mockImplementation(() => at);
}

/** Runs the work while this instant is the current time of the program. */
export async function atInstant<Result>(
  service: ServiceInProcess,
  instant: Date,
  work: () => Promise<Result>,
): Promise<Result> {
  const clock = jest.spyOn(service.application.get(Clock), 'now').mockImplementation(() => instant);
  try {
    return await work();
  } finally {
    clock.mockRestore();
  }
}

/** Sets `Date.now()` of this process ahead, until `mockRestore`. */
export function clockAhead(milliseconds: number): { mockRestore: () => void } {
  const now = Date.now.bind(Date);
  return jest.spyOn(Date, 'now').mockImplementation(() => now() + milliseconds);
}
