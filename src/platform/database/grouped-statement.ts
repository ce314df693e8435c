import DataLoader from 'dataloader';
import { isDatabaseUnavailable } from './database-errors.js';

/** The largest number of items in one statement. */
const MAX_ITEMS = 100;
/** How long a call waits at most for a statement in progress, which may itself be waiting for a lock. */
const MAX_WAIT_MS = 20;

/**
 * Combines what several callers request at about the same time into one statement. A single caller is served
 * immediately; calls that arrive while a statement is in progress share the next one. Under load, this spreads the
 * cost of planning, locking and syncing over many calls, and without load no call waits for others.
 */
export class GroupedStatement<Item, Result> {
  private readonly loader: DataLoader<Item, Result | Promise<Result>>;
  private readonly scheduled = new Set<() => void>();
  private inProgress = 0;

  /** @param statement processes all items or none, and returns the results in the order of the items */
  constructor(private readonly statement: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.loader = new DataLoader((items) => this.execute(items), {
      cache: false,
      maxBatchSize: MAX_ITEMS,
      batchScheduleFn: (start) => {
        this.schedule(start);
      },
    });
  }

  /** @throws what the statement throws for this item */
  async run(item: Item): Promise<Result> {
    return await this.loader.load(item);
  }

  private schedule(start: () => void): void {
    if (this.inProgress === 0) {
      setImmediate(start);
      return;
    }
    const once = (): void => {
      clearTimeout(timer);
      if (this.scheduled.delete(once)) start();
    };
    const timer = setTimeout(once, MAX_WAIT_MS);
    this.scheduled.add(once);
  }

  private async execute(items: readonly Item[]): Promise<readonly (Result | Promise<Result>)[]> {
    this.inProgress += 1;
    try {
      return await this.statement(items);
    } catch (error) {
      // One item's error must not fail the others. If the database is unavailable, all of them fail.
      if (items.length === 1 || isDatabaseUnavailable(error)) throw error;
      return items.map((item) => this.executeAlone(item));
    } finally {
      this.inProgress -= 1;
      for (const startNext of this.scheduled) startNext();
    }
  }

  /** Only its own caller waits for it, because this item may be what delayed the others. */
  private async executeAlone(item: Item): Promise<Result> {
    const [result] = await this.statement([item]);
    return result as Result;
  }
}
