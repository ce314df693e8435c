import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import pLimit from 'p-limit';
import type { LimitFunction } from 'p-limit';
import { ChangeQueue } from './change-queue.js';
import type { ChangeCaller } from './change-queue.js';

declare const inTransaction: unique symbol;

/** A handle that reads outside any transaction. */
export type Reader = EntityManager;

/** A handle inside a transaction. Writes demand one, so that none can happen outside by oversight. */
export type Tx = EntityManager & { readonly [inTransaction]: true };

declare const alone: unique symbol;

/**
 * A handle for a write that is whole in one statement, which is its own transaction and so costs one round
 * trip. A method that takes it runs exactly one statement.
 */
export type AutoCommit = EntityManager & { readonly [alone]: true };

/** PostgreSQL's driver opens as many connections where nothing is said. */
const DEFAULT_POOL_SIZE = 10;

type Afterwards = () => Promise<void> | void;

const afterwards = new WeakMap<Tx, Afterwards[]>();

/**
 * Runs `action` once `tx` has committed, in the order given; never when it rolls back. What must not be
 * lost does not belong here: the process may die between the commit and the action.
 */
export function afterCommit(tx: Tx, action: Afterwards): void {
  const actions = afterwards.get(tx);
  if (actions === undefined)
    throw new Error('afterCommit needs the handle of a transaction that is still open');
  actions.push(action);
}

@Injectable()
export class Database {
  private readonly logger = new Logger(Database.name);
  readonly reader: Reader;
  readonly autoCommit: AutoCommit;
  private readonly changes: ChangeQueue;
  /** Queued changes leave half of the connections to everything else, whatever they wait for. */
  private readonly connections: LimitFunction;
  private readonly dryRuns = pLimit(1);

  constructor(private readonly dataSource: DataSource) {
    const { poolSize = DEFAULT_POOL_SIZE } = dataSource.options;
    const inFlight = Math.max(1, Math.floor(poolSize / 2));
    this.connections = pLimit(inFlight);
    this.changes = new ChangeQueue(inFlight);
    this.reader = dataSource.manager;
    this.autoCommit = dataSource.manager as AutoCommit;
  }

  /**
   * Runs `work` in one READ COMMITTED transaction. A throw rolls back; to keep a write that comes with a
   * refusal, return the refusal and throw it after this call.
   */
  async transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const actions: Afterwards[] = [];
    const result = await this.dataSource.transaction((manager) => collecting(manager, actions, work));
    for (const action of actions) {
      try {
        await action();
      } catch (error) {
        // The change stands; whatever the action was to speed up happens later by itself.
        this.logger.warn(error, 'an action after commit failed');
      }
    }
    return result;
  }

  /**
   * As `transaction`, for work that takes a lock which others in this process want as well, such as that of an
   * organization. For each key one transaction after the other takes a connection: those who wait do so without
   * one, so that a flood of changes of one organization leaves the pool to everybody else.
   *
   * @param key what the lock is of, by id
   * @param by who asks; what one caller asks for waits behind itself
   * @param work must not wait for another queued change
   * @throws QueueFullError when too many wait for the same, or by the same caller
   */
  async serialTransaction<Result>(
    key: string,
    by: ChangeCaller,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result> {
    return await this.changes.run(key, by, () => this.connections(() => this.transaction(work)));
  }

  /**
   * As `rehearse`, in turn. A rehearsal may take long and changes nothing, so that one at a time is enough: all the
   * others would keep short changes of other tenants waiting.
   * @throws QueueFullError
   */
  async serialDryRun<Result>(
    key: string,
    by: ChangeCaller,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result> {
    return await this.changes.run(key, by, () =>
      this.dryRuns(() => this.connections(() => this.dryRun(work))),
    );
  }

  /**
   * Runs `work` as a transaction would and then undoes it, for the sake of its answer or of what it throws.
   * Actions after commit are dropped; what `work` does outside the database is not undone.
   */
  async dryRun<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      try {
        return await collecting(runner.manager, [], work);
      } finally {
        await runner.rollbackTransaction();
      }
    } finally {
      await runner.release();
    }
  }
}

/** Hands `work` the transaction, for as long as it lasts with a place for what is to be done after its commit. */
async function collecting<Result>(
  manager: EntityManager,
  actions: Afterwards[],
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const tx = manager as Tx;
  afterwards.set(tx, actions);
  try {
    return await work(tx);
  } finally {
    afterwards.delete(tx);
  }
}
