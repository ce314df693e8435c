import type { MaybePromise } from '../../cache-invalidation/index.js';
import { OutboundTimeoutError } from '../../platform/outbound/index.js';

export function tooLate(timeoutMs: number): OutboundTimeoutError {
  return new OutboundTimeoutError(`no complete answer within ${timeoutMs} ms`);
}

/** When a call ends: at an instant of `performance.now()`, or by the signal. */
export interface CallLimit {
  readonly endsAt: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What `work` gives, unless the call ends first. The work itself goes on: a function that loads may serve the next. */
export function within<Result>(limit: CallLimit, work: MaybePromise<Result>): MaybePromise<Result> {
  return work instanceof Promise ? before(limit, work) : work;
}

async function before<Result>(
  { endsAt, timeoutMs, signal }: CallLimit,
  work: Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let end: (() => void) | undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    end = () => {
      reject(tooLate(timeoutMs));
    };
    timer = setTimeout(end, endsAt - performance.now());
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearTimeout(timer);
    if (end !== undefined) signal.removeEventListener('abort', end);
    work.catch(() => undefined);
  }
}
