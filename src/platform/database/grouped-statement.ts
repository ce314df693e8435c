import DataLoader from 'dataloader';
import { isDatabaseUnavailable } from './database-errors.js';

/** So many at most go together. */
const MAX_ITEMS = 100;
/** Whoever comes while a statement is under way waits so long at most: it may be waiting for a lock itself. */
const MAX_WAIT_MS = 20;

/**
 * Does in one statement what several callers ask for at about one time. A caller who comes alone is served at once;
 * those who come while a statement is under way go together with the next. So the more there is to do, the less of
 * planning, of waiting for locks and of syncing falls to each, while nobody waits for company.
 */
export class GroupedStatement<Item, Result> {
  private readonly loader: DataLoader<Item, Result | Promise<Result>>;
  private readonly waiting = new Set<() => void>();
  private underWay = 0;

  /** @param statement does all items at once, or none; the results in the order of the items */
  constructor(private readonly statement: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.loader = new DataLoader((items) => this.runGroup(items), {
      cache: false,
      maxBatchSize: MAX_ITEMS,
      batchScheduleFn: (start) => {
        this.schedule(start);
      },
    });
  }

  /** @throws what the statement throws with this item */
  async run(item: Item): Promise<Result> {
    return await this.loader.load(item);
  }

  private schedule(start: () => void): void {
    if (this.underWay === 0) {
      setImmediate(start);
      return;
    }
    const once = (): void => {
      clearTimeout(timer);
      if (this.waiting.delete(once)) start();
    };
    const timer = setTimeout(once, MAX_WAIT_MS);
    this.waiting.add(once);
  }

  private async runGroup(items: readonly Item[]): Promise<readonly (Result | Promise<Result>)[]> {
    this.underWay += 1;
    try {
      return await this.statement(items);
    } catch (error) {
      // What one item brings about is not the others' fault. Without the database it is nobody's.
      if (items.length === 1 || isDatabaseUnavailable(error)) throw error;
      return items.map((item) => this.alone(item));
    } finally {
      this.underWay -= 1;
      for (const startNext of this.waiting) startNext();
    }
  }

  /** Waited for by its own caller only: it may be what the others have waited too long for. */
  private async alone(item: Item): Promise<Result> {
    const [result] = await this.statement([item]);
    return result as Result;
  }
}
