import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource } from 'typeorm';
import type { Database, Tx } from '../../src/platform/database/index.js';

interface ConnectionPool {
  obtainMasterConnection(): Promise<unknown>;
}

/**
 * Fails if someone requests a second connection from the pool while holding one for a transaction. As many of them at
 * once as the pool has connections would wait for each other for ever. Requests after the end of the transaction, by
 * work that it started, are allowed.
 */
export class SecondConnections {
  private readonly transactions = new AsyncLocalStorage<{ isOpen: boolean }>();
  private readonly refused: Error[] = [];

  constructor(dataSource: DataSource, database: Database) {
    this.watchTransactions(database);
    this.watchPool(dataSource.driver);
  }

  /** @throws the first request for a second connection, even if its own error was handled */
  requireNone(): void {
    const [first] = this.refused;
    if (first !== undefined) throw first;
  }

  private watchTransactions(database: Database): void {
    const within =
      <Result>(work: (tx: Tx) => Promise<Result>) =>
      async (tx: Tx): Promise<Result> => {
        const transaction = { isOpen: true };
        try {
          return await this.transactions.run(transaction, () => work(tx));
        } finally {
          transaction.isOpen = false;
        }
      };
    const transact = database.transaction.bind(database);
    const dryRun = database.dryRun.bind(database);
    database.transaction = (work) => transact(within(work));
    database.dryRun = (work) => dryRun(within(work));
  }

  private watchPool(pool: ConnectionPool): void {
    const obtain = pool.obtainMasterConnection.bind(pool);
    pool.obtainMasterConnection = async () => {
      if (this.transactions.getStore()?.isOpen !== true) return await obtain();
      const refusal = new Error('a transaction waits for a second connection');
      this.refused.push(refusal);
      throw refusal;
    };
  }
}
