import { setTimeout as wait } from 'node:timers/promises';

/** Resolves at the first SIGINT or SIGTERM. Later ones change nothing: Ctrl-C often arrives more than once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        resolve();
      });
    }
  });
}

/** The result of the step; null if the program has to stop and the step does not end within `limitMs` of that. */
export async function unlessStopped<Result>(
  step: Promise<Result>,
  stopped: Promise<void>,
  limitMs: number,
): Promise<Result | null> {
  const late = stopped.then(() => wait(limitMs, null, { ref: false }));
  return await Promise.race([step, late]);
}
