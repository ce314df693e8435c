import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { TenantId } from '../../../http/index.js';
import type { RunStatus } from '../model/run-status.js';
import { hasEnded } from '../model/status-sql.js';
import { lockTenantJobs } from '../model/tenant-jobs-lock.js';

/** Descendants that one cancellation ends at most, and those that it reads, most of which may have ended. */
const MAX_UNFINISHED = 10_000;
const MAX_READ = 100_000;

/** A run of a tree, with the status that it keeps until the transaction ends. */
export interface LockedRun {
  readonly id: string;
  readonly status: RunStatus;
}

/** What a search of a tree found. */
interface Tree {
  /** How many runs there are, counted up to a limit. */
  readonly read: number;
  readonly unfinished: readonly string[];
  /** They ended so lately that a trigger of their handlers may still be under way. */
  readonly justEnded: readonly string[];
}

/**
 * Each level is looked up by the index of children, run by run. A run that has ended may have children that have not.
 */
const DESCENDANTS = `
  WITH RECURSIVE tree AS (
    SELECT id, status, completed_at FROM runs WHERE tenant_id = $1 AND id = $2
    UNION ALL
    SELECT child.id, child.status, child.completed_at FROM tree CROSS JOIN LATERAL (
      SELECT runs.id, runs.status, runs.completed_at FROM runs
      WHERE runs.tenant_id = $1 AND runs.trigger ->> 'run_id' = tree.id AND runs.trigger ->> 'run_id' IS NOT NULL
      OFFSET 0
    ) child
  ), part AS MATERIALIZED (
    SELECT id, status, completed_at FROM tree LIMIT $3
  )
  SELECT (SELECT count(*)::int FROM part) AS read,
         ARRAY(SELECT id FROM part WHERE NOT ${hasEnded('status')}) AS unfinished,
         ARRAY(
           SELECT id FROM part WHERE ${hasEnded('status')} AND completed_at > now() - interval '1 minute'
         ) AS "justEnded"`;

/** A run with the runs that its handler triggered, and those that theirs did. */
@Injectable()
export class RunTreeRepository {
  /**
   * Locks the run and its descendants that have not ended, and keeps runs from being added to them until the transaction
   * ends: a handler's trigger holds its own run (`ParentRuns`). So the lock of a run waits for the triggers of its
   * handler that are under way, and only a search that begins afterwards sees what they added. When a search finds no
   * further run to lock, there is none. A run may end while a trigger of its handler is under way, so those that have
   * just ended are locked too; a transaction lasts less than a minute.
   *
   * Trees of one tenant are locked one after the other, and never beside the deletion of jobs, which locks many runs as
   * well.
   *
   * @returns the locked runs, the run itself also when it has ended; none when the tenant has no such run
   * @throws too_many_runs
   */
  async lock(tx: Tx, tenantId: TenantId, runId: string): Promise<readonly LockedRun[]> {
    await lockTenantJobs(tx, tenantId);
    const locked = new Map<string, LockedRun>();
    let found: readonly string[] = [runId];
    while (found.length > 0) {
      for (const run of await this.lockAll(tx, tenantId, found)) locked.set(run.id, run);
      const tree = await firstRow<Tree>(tx, DESCENDANTS, [tenantId, runId, MAX_READ + 1]);
      const { read, unfinished, justEnded } = tree ?? { read: 0, unfinished: [], justEnded: [] };
      found = [...unfinished, ...justEnded].filter((id) => !locked.has(id));
      if (read > MAX_READ || unfinished.length > MAX_UNFINISHED)
        throw new ServiceError('too_many_runs', {
          message: `The run has more than ${MAX_UNFINISHED} descendants that have not ended, or ${MAX_READ} in all.`,
          hint: 'Cancel them level by level: POST /jobs/v1/runs/bulk with the filter parent_run_id.',
        });
    }
    return [...locked.values()];
  }

  private async lockAll(tx: Tx, tenantId: TenantId, ids: readonly string[]): Promise<LockedRun[]> {
    return await rows<LockedRun>(
      tx,
      'SELECT id, status FROM runs WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE',
      [tenantId, ids],
    );
  }
}
