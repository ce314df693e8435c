import { ServiceError } from '../service-error.js';

/** With a longer delay, the platform's timers would fire immediately. */
const LONGEST_MS = 2 ** 31 - 1;

/** The error of an aborted signal: its reason, or the platform's AbortError. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw signal.reason;
}

/** Waits. Rejects with the signal's reason if it is aborted meanwhile. */
export async function wait(durationMs: number, signal?: AbortSignal): Promise<void> {
  throwIfAborted(signal);
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      // The caller's own reason, whatever it is.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(durationMs, LONGEST_MS),
    );
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** The promise's outcome, or the signal's reason as soon as it is aborted. The work itself continues. */
export async function abortable<Value>(work: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (signal === undefined) return await work;
  if (signal.aborted) {
    // Nobody handles its failure any more.
    work.catch(() => undefined);
    throw signal.reason;
  }
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      // The caller's own reason, whatever it is.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Runs the work with a signal that is aborted with the caller's signal, and after `limitMs`.
 * @throws ServiceError `timeout`; the caller's reason
 */
export async function withinTime<Value>(
  limitMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  throwIfAborted(signal);
  const controller = new AbortController();
  const timeout = new ServiceError({
    code: 'timeout',
    message: `There was no answer within ${limitMs} ms.`,
    status: 0,
  });
  const timer = setTimeout(
    () => {
      controller.abort(timeout);
    },
    Math.min(limitMs, LONGEST_MS),
  );
  const forward = (): void => {
    controller.abort(signal?.reason);
  };
  signal?.addEventListener('abort', forward, { once: true });
  try {
    return await work(controller.signal);
  } catch (error) {
    // fetch may wrap the reason. Here we know whose it was.
    if (controller.signal.aborted) throw controller.signal.reason;
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', forward);
  }
}
