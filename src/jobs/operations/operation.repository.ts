import { Inject, Injectable } from '@nestjs/common';
import { CacheInvalidation } from '../../cache-invalidation/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Reader, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';
import type { ItemOutcome, LockedOperation, NewOperation, Operation } from './operation.js';

/** Operations deleted by one statement: each may have thousands of runs. */
export const OPERATION_BATCH = 20;

@Injectable()
export class OperationRepository {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly changes: CacheInvalidation,
  ) {}

  /** Calls the listener after an operation may have been stored, by whichever instance. */
  onInsert(listener: () => void): void {
    this.changes.onChange((change) => {
      if (change === 'everything' || change.kind === 'run_operation') listener();
    });
  }

  /** Stores an operation with its runs, and announces it. */
  async insertOperation(
    tx: Tx,
    tenantId: TenantId,
    { id, action, runIds, callingRunId, actor }: NewOperation,
  ): Promise<void> {
    await rows(
      tx,
      `INSERT INTO run_operations (id, tenant_id, action, total, actor, origin)
       VALUES ($1, $2, $3, $4, $6,
               (SELECT trigger -> 'origin' FROM runs WHERE tenant_id = $2 AND id = $5))`,
      [id, tenantId, action, runIds.length, callingRunId, actor],
    );
    await rows(tx, 'INSERT INTO run_operation_items (operation_id, run_id) SELECT $1, unnest($2::text[])', [
      id,
      runIds,
    ]);
    await this.changes.announce(tx, { kind: 'run_operation', id });
  }

  /** Whether any tenant has an operation that has not completed. */
  async anyUnfinished(handle: Reader): Promise<boolean> {
    return (
      (await firstRow(handle, 'SELECT id FROM run_operations WHERE completed_at IS NULL LIMIT 1', [])) !==
      null
    );
  }

  async countUnfinished(handle: Tx | Reader, tenantId: TenantId): Promise<number> {
    const counted = await firstRow<{ count: number }>(
      handle,
      `SELECT count(*)::int AS count FROM run_operations WHERE tenant_id = $1 AND completed_at IS NULL`,
      [tenantId],
    );
    return counted?.count ?? 0;
  }

  async find(handle: Reader, tenantId: TenantId, id: string): Promise<Operation | null> {
    return await firstRow<Operation>(
      handle,
      `SELECT id, action, total, done, failed, created_at AS "createdAt", completed_at AS "completedAt", coalesce((
         SELECT jsonb_object_agg(outcome, count) FROM (
           SELECT outcome, count(*) FROM run_operation_items
           WHERE operation_id = run_operations.id AND outcome <> 'done' GROUP BY outcome
         ) failure
       ), '{}') AS errors
       FROM run_operations WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
    );
  }

  /**
   * Locks the operation that is due for the longest time and that no other worker has locked. The lock lasts until the
   * transaction ends, also if its worker dies.
   */
  async lockDue(tx: Tx): Promise<LockedOperation | null> {
    return await firstRow<LockedOperation>(
      tx,
      `SELECT id, tenant_id AS "tenantId", action, actor, origin,
              created_at < now() - make_interval(hours => $1) AS "isExpired"
       FROM run_operations WHERE completed_at IS NULL AND due_at <= now()
       ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [this.config.timing.operations.expireHours],
    );
  }

  /** The oldest runs of the operation that are not dealt with. */
  async pending(tx: Tx, id: string, limit: number): Promise<string[]> {
    const found = await rows<{ runId: string }>(
      tx,
      `SELECT run_id AS "runId" FROM run_operation_items WHERE operation_id = $1 AND outcome IS NULL
       ORDER BY run_id LIMIT $2`,
      [id, limit],
    );
    return found.map(({ runId }) => runId);
  }

  /** Writes outcomes, and when the operation continues. An operation without pending runs is completed. */
  async recordOutcomes(tx: Tx, id: string, outcomes: readonly ItemOutcome[], pauseMs: number): Promise<void> {
    await rows(
      tx,
      `UPDATE run_operation_items SET outcome = given.outcome
       FROM unnest($2::text[], $3::text[]) AS given (run_id, outcome)
       WHERE operation_id = $1 AND run_operation_items.run_id = given.run_id`,
      [id, outcomes.map(({ runId }) => runId), outcomes.map(({ outcome }) => outcome)],
    );
    const failed = outcomes.filter(({ outcome }) => outcome !== 'done').length;
    await rows(
      tx,
      `UPDATE run_operations SET done = done + $2, failed = failed + $3,
              due_at = clock_timestamp() + make_interval(secs => $4::float8 / 1000),
              completed_at = CASE WHEN done + $2 >= total THEN now() END
       WHERE id = $1`,
      [id, outcomes.length, failed, pauseMs],
    );
  }

  /** Postpones an operation whose last step threw, so that it does not hold up the others. */
  async postpone(handle: AutoCommit, id: string, pauseMs: number): Promise<void> {
    await rows(
      handle,
      'UPDATE run_operations SET due_at = now() + make_interval(secs => $2::float8 / 1000) WHERE id = $1',
      [id, pauseMs],
    );
  }

  async deleteOfTenant(tx: Tx, tenantId: TenantId): Promise<void> {
    await rows(tx, 'DELETE FROM run_operations WHERE tenant_id = $1', [tenantId]);
  }
}
