/** Too many wait for the same turn already; trying again in a moment may find a place. */
export class QueueFullError extends Error {
  override name = 'QueueFullError';
}

interface Line {
  /** What the last one in the line does. */
  tail: Promise<unknown>;
  /** Who is at work and who waits. */
  length: number;
}

/**
 * Runs work one after the other for each key. Those who want the same row wait here, in memory, and not inside
 * PostgreSQL with a database connection each.
 */
export class SerialByKey {
  private readonly lines = new Map<string, Line>();

  /** @param maxWaiting how many may wait for one key, besides who is at work */
  constructor(private readonly maxWaiting = Number.POSITIVE_INFINITY) {}

  /** @throws QueueFullError, and whatever `work` throws. Work that waits for its own key waits for ever. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.lines.get(key) ?? { tail: Promise.resolve(), length: 0 };
    if (line.length > this.maxWaiting) throw new QueueFullError('too many wait for one turn');
    this.lines.set(key, line);
    line.length += 1;
    const mine = line.tail.then(work, work);
    line.tail = mine;
    try {
      return await mine;
    } finally {
      line.length -= 1;
      if (line.length === 0) this.lines.delete(key);
    }
  }
}
