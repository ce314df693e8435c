import pLimit from 'p-limit';
import type { LimitFunction } from 'p-limit';

/** Too many callers wait for the same key. A later retry may succeed. */
export class QueueFullError extends Error {
  override name = 'QueueFullError';
}

interface Queue {
  /** Settles when the last work in the queue has ended. */
  tail: Promise<unknown>;
  /** How many are running or waiting. */
  length: number;
}

/**
 * Runs work sequentially for each key. Callers that need the same row wait here, in memory, instead of inside
 * PostgreSQL with a database connection each.
 */
export class SerialByKey {
  private readonly queues = new Map<string, Queue>();

  /** @param maxWaiting how many may wait for one key, not counting the one that is running */
  constructor(private readonly maxWaiting = Number.POSITIVE_INFINITY) {}

  /** @throws QueueFullError, and whatever `work` throws. Work that waits for its own key never ends. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.queues.get(key) ?? { tail: Promise.resolve(), length: 0 };
    if (queue.length > this.maxWaiting) throw new QueueFullError('too many callers wait for the same key');
    this.queues.set(key, queue);
    queue.length += 1;
    const result = queue.tail.then(work, work);
    queue.tail = result;
    try {
      return await result;
    } finally {
      queue.length -= 1;
      if (queue.length === 0) this.queues.delete(key);
    }
  }
}

/** How many changes of one tenant may wait. Far more than people ask for at once, and few enough to be served within seconds. */
const MAX_WAITING = 100;
/** How many changes of one caller may wait, whatever they are of. */
const MAX_WAITING_OF_CALLER = 100;
/** Lines that one caller stands in at one time, so that nobody fills those of many tenants. */
const QUEUES_PER_CALLER = 2;

/** Who makes the change. The operator and the program itself have no id. */
export interface ChangeCaller {
  readonly type: string;
  readonly id: string | null;
}

interface CallerQueue {
  readonly limit: LimitFunction;
  /** How many of the caller's changes are at work or wait. */
  length: number;
}

/**
 * Runs changes one after the other for each tenant. A caller has one change at a time in a tenant's line and stands in few
 * lines; what else it asks for waits behind itself, so that others are served in between.
 */
export class ChangeQueue {
  private readonly lines = new SerialByKey(MAX_WAITING);
  private readonly perCaller = new SerialByKey();
  private readonly callers = new Map<string, CallerQueue>();
  private readonly queuesPerCaller: number;

  /** @param inFlight how many changes are at work at one time; one caller never has all of these places where there are more */
  constructor(inFlight: number) {
    this.queuesPerCaller = Math.max(1, Math.min(QUEUES_PER_CALLER, inFlight - 1));
  }

  /** @throws QueueFullError, and whatever `work` throws */
  async run<Result>(key: string, by: ChangeCaller, work: () => Promise<Result>): Promise<Result> {
    const queued = (): Promise<Result> => this.lines.run(key, work);
    // Users' changes of their own account, such as a logout, wait for nothing else that they have asked for.
    if (by.id === null || by.id === key) return await queued();
    const caller = JSON.stringify([by.type, by.id]);
    return await this.ofCaller(caller, ({ limit }) =>
      this.perCaller.run(JSON.stringify([caller, key]), () => limit(queued)),
    );
  }

  private async ofCaller<Result>(
    caller: string,
    work: (lines: CallerQueue) => Promise<Result>,
  ): Promise<Result> {
    const lines = this.callers.get(caller) ?? { limit: pLimit(this.queuesPerCaller), length: 0 };
    if (lines.length > MAX_WAITING_OF_CALLER)
      throw new QueueFullError('too many changes of one caller wait already');
    this.callers.set(caller, lines);
    lines.length += 1;
    try {
      return await work(lines);
    } finally {
      lines.length -= 1;
      if (lines.length === 0) this.callers.delete(caller);
    }
  }
}
