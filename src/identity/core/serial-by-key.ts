/**
 * Runs work one after the other for each key. Simultaneous uses of one refresh token wait here, in memory,
 * and not inside PostgreSQL on its row with a database connection each.
 */
export class SerialByKey {
  private readonly tails = new Map<string, Promise<unknown>>();

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.tails.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.tails.get(key) === mine) this.tails.delete(key);
    }
  }
}
