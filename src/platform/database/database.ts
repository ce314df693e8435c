import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import pLimit from 'p-limit';
import type { LimitFunction } from 'p-limit';
import { ChangeQueue } from './change-queue.js';
import type { ChangeCaller } from './change-queue.js';

declare const inTransaction: unique symbol;

/** What a query through entities selects. Unlike TypeORM's own builder, it does not lead to one that writes. */
interface SelectBuilder<Entity> {
  where(condition: string, parameters?: ObjectLiteral): SelectBuilder<Entity>;
  andWhere(condition: string, parameters?: ObjectLiteral): SelectBuilder<Entity>;
  orderBy(column: string, order?: 'ASC' | 'DESC'): SelectBuilder<Entity>;
  addOrderBy(column: string, order?: 'ASC' | 'DESC'): SelectBuilder<Entity>;
  limit(most: number): SelectBuilder<Entity>;
  take(most: number): SelectBuilder<Entity>;
  getMany(): Promise<Entity[]>;
}

/**
 * A handle that reads outside any transaction. A write does not compile: it has none of the methods that write or lead to
 * one that does, and `rows` and `firstRow` take a statement with it only if its text is a `SELECT`. A function that a
 * `SELECT` calls may still write.
 */
export interface Reader extends Pick<
  EntityManager,
  'find' | 'findBy' | 'findOne' | 'findOneBy' | 'count' | 'countBy' | 'exists' | 'existsBy'
> {
  createQueryBuilder<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    alias: string,
  ): SelectBuilder<Entity>;
}

/**
 * The text of a statement that reads, known as such when the program is compiled. It does not begin with `WITH`, because
 * PostgreSQL allows writes in a `WITH` that begins a statement, and nowhere inside of a `SELECT`.
 */
export type SelectText = `SELECT ${string}`;

/** A handle inside a transaction. Writes require one, so that no write happens outside a transaction by mistake. */
export type Tx = EntityManager & { readonly [inTransaction]: true };

declare const alone: unique symbol;

/**
 * A handle for a write that consists of one statement. The statement is its own transaction, which costs one round
 * trip. A method that takes this handle runs exactly one statement.
 */
export type AutoCommit = EntityManager & { readonly [alone]: true };

/** The default of PostgreSQL's driver. */
const DEFAULT_POOL_SIZE = 10;

type CommitAction = () => Promise<void> | void;

const commitActions = new WeakMap<Tx, CommitAction[]>();

/**
 * Runs `action` after `tx` has committed, in the order of the calls, and never when it rolls back. Do not use it for
 * anything that must not be lost: the process may die between the commit and the action.
 */
export function afterCommit(tx: Tx, action: CommitAction): void {
  const actions = commitActions.get(tx);
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
  /** Limits all queued changes together to half of the connections, and leaves the others to everything else. */
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
   * Runs `work` in one READ COMMITTED transaction. If `work` throws, the transaction rolls back. To keep a write and
   * still refuse the request, return the refusal and throw it after this call.
   */
  async transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const actions: CommitAction[] = [];
    const result = await this.dataSource.transaction((manager) => withCommitActions(manager, actions, work));
    for (const action of actions) {
      try {
        await action();
      } catch (error) {
        // The change is committed. What the action was to speed up happens later anyway.
        this.logger.warn(error, 'an action after commit failed');
      }
    }
    return result;
  }

  /**
   * Like `transaction`, for work that takes a lock which others in this process want too, such as the lock of an
   * organization. For each key, one transaction at a time takes a connection. The others wait without one, so that
   * many concurrent changes of one organization do not use up the pool.
   *
   * @param key the id of what is locked
   * @param by the caller; one caller's changes wait behind each other
   * @param work must not wait for another queued change
   * @throws QueueFullError when too many changes wait for the same key, or too many of the same caller
   */
  async serialTransaction<Result>(
    key: string,
    by: ChangeCaller,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result> {
    return await this.changes.run(key, by, () => this.connections(() => this.transaction(work)));
  }

  /**
   * Like `dryRun`, one at a time. A dry run may take long and changes nothing; several at once would delay short
   * changes of other tenants.
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
   * Runs `work` in a transaction and rolls it back, to learn what it returns or throws. Actions after commit are
   * dropped. Effects of `work` outside the database are not undone.
   */
  async dryRun<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      try {
        return await withCommitActions(runner.manager, [], work);
      } finally {
        await runner.rollbackTransaction();
      }
    } finally {
      await runner.release();
    }
  }
}

/** Passes `work` the transaction and, while it lasts, collects the actions that are to run after its commit. */
async function withCommitActions<Result>(
  manager: EntityManager,
  actions: CommitAction[],
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const tx = manager as Tx;
  commitActions.set(tx, actions);
  try {
    return await work(tx);
  } finally {
    commitActions.delete(tx);
  }
}

/**
 * Runs one SQL statement and returns its rows. TypeORM returns `[rows, count]` for UPDATE and DELETE and plain rows
 * otherwise; this function always returns rows.
 */
export async function rows<Row>(
  handle: Tx | AutoCommit,
  sql: string,
  parameters?: readonly unknown[],
): Promise<Row[]>;
export async function rows<Row>(
  handle: Tx | AutoCommit | Reader,
  sql: SelectText,
  parameters?: readonly unknown[],
): Promise<Row[]>;
export async function rows<Row>(
  handle: Tx | AutoCommit | Reader,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const answer: unknown = await (handle as EntityManager).query(sql, [...parameters]);
  if (!Array.isArray(answer)) return [];
  const [first, second] = answer as unknown[];
  return (Array.isArray(first) && typeof second === 'number' ? first : answer) as Row[];
}

/** The first row of one SQL statement, or null. */
export async function firstRow<Row>(
  handle: Tx | AutoCommit,
  sql: string,
  parameters?: readonly unknown[],
): Promise<Row | null>;
export async function firstRow<Row>(
  handle: Tx | AutoCommit | Reader,
  sql: SelectText,
  parameters?: readonly unknown[],
): Promise<Row | null>;
export async function firstRow<Row>(
  handle: Tx | AutoCommit | Reader,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row | null> {
  return (await rows<Row>(handle as Tx, sql, parameters))[0] ?? null;
}
