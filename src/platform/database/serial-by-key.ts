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
