import { Injectable } from '@nestjs/common';
import type { Config } from '../../../platform/config/index.js';
import { firstRow, rows } from '../../../platform/database/index.js';
import type { AutoCommit, Reader, SelectText } from '../../../platform/database/index.js';
import { firstRunIdAt, ID_SLACK_MS } from '../model/run-id.js';
import { MAX_RETENTION_DAYS } from '../model/run.js';

/** Rows per statement: few enough that no other statement waits long for it. */
export const RETENTION_BATCH = 1000;

const DAY_MS = 86_400_000;

/** A position in the order in which runs ended: `at` as text, since a Date has no microseconds. */
export interface EndedAt {
  readonly at: string;
  readonly id: string;
}

/** A position in the order of steps. */
export interface StepAt {
  readonly runId: string;
  readonly name: string;
}

export interface DeletedPart<End> {
  readonly deleted: number;
  /** Where the part ends that was looked at; null when nothing is left. */
  readonly end: End | null;
}

/** In SQL: whether the stats have the figures of the run. */
const IS_COUNTED = 'coalesce(ended_line, 0) <= (SELECT last_line FROM run_stats_progress)';

/** In SQL: queries for a WITH clause that delete what there is of the runs in `deleted` beside them. */
const OF_DELETED = `attempts_of_deleted AS (
    DELETE FROM run_attempts USING deleted WHERE run_attempts.run_id = deleted.id
  ), lines_of_deleted AS (
    DELETE FROM run_logs USING deleted WHERE run_logs.run_id = deleted.id
  )`;

/**
 * Deletes expired rows one batch at a time and returns how many rows it deleted. Instances that do this concurrently
 * skip each other's rows. It never deletes a run that has not ended, however old.
 */
@Injectable()
export class RetentionRepository {
  /**
   * Deletes ended runs with their attempts, but those of jobs with a retention of their own, among the next
   * `RETENTION_BATCH` that are older than the retention of the deployment.
   *
   * @param after the end of the part that the call before looked at, or null
   */
  async deleteEnded(
    handle: AutoCommit,
    afterDays: number,
    after: EndedAt | null,
  ): Promise<DeletedPart<EndedAt>> {
    const [part] = await rows<
      { deleted: number; looked: number } & { [Key in keyof EndedAt]: string | null }
    >(
      handle,
      `WITH old AS MATERIALIZED (
         SELECT id, tenant_id, job_id, completed_at, ended_line FROM runs_ended
         WHERE completed_at < now() - make_interval(days => $1)
           AND completed_at >= $2::timestamptz AND (completed_at, id) > ($2::timestamptz, $3)
         ORDER BY completed_at, id LIMIT ${RETENTION_BATCH}
       ), deleted AS (
         DELETE FROM runs_ended WHERE id IN (
           SELECT id FROM runs_ended WHERE id IN (
             SELECT id FROM old
             WHERE (tenant_id, job_id) NOT IN (SELECT tenant_id, id FROM jobs WHERE retention_days IS NOT NULL)
               AND ${IS_COUNTED}
           ) FOR UPDATE SKIP LOCKED
         ) RETURNING id
       ), ${OF_DELETED}, last AS (
         SELECT completed_at, id FROM old ORDER BY completed_at DESC, id DESC LIMIT 1
       )
       SELECT (SELECT count(*)::int FROM deleted) AS deleted, (SELECT count(*)::int FROM old) AS looked,
              (SELECT completed_at::text FROM last) AS at, (SELECT id FROM last) AS id`,
      [afterDays, after?.at ?? '-infinity', after?.id ?? ''],
    );
    const { deleted = 0, looked = 0, at = null, id = null } = part ?? {};
    return { deleted, end: looked < RETENTION_BATCH || at === null || id === null ? null : { at, id } };
  }

  /**
   * Deletes ended runs of jobs with a retention of their own. Looks for the runs of a job by their ids, which are ordered
   * by time, and reads no younger ones.
   */
  async deleteOfJobs(handle: AutoCommit, now: Date): Promise<number> {
    const days = Array.from({ length: MAX_RETENTION_DAYS }, (_none, index) => index + 1);
    const bounds = days.map((count) => firstRunIdAt(new Date(now.getTime() - count * DAY_MS + ID_SLACK_MS)));
    return await this.count(
      handle,
      `WITH deleted AS (DELETE FROM runs_ended WHERE id IN (
         SELECT old.id
         FROM jobs JOIN unnest($1::int[], $2::text[]) AS made (days, before) ON made.days = jobs.retention_days
           CROSS JOIN LATERAL (
             SELECT runs.id FROM runs_ended runs
             WHERE runs.tenant_id = jobs.tenant_id AND runs.job_id = jobs.id AND runs.id < made.before
               AND runs.completed_at < now() - make_interval(days => jobs.retention_days) AND ${IS_COUNTED}
             ORDER BY runs.id LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED
           ) old
         WHERE jobs.retention_days IS NOT NULL
         LIMIT ${RETENTION_BATCH}
       ) RETURNING id), ${OF_DELETED} TABLE deleted`,
      [days, bounds],
    );
  }

  /** Deletes ended runs of deleted tenants, whatever their age. */
  async deleteOfRemovedTenants(handle: AutoCommit): Promise<number> {
    return await this.count(
      handle,
      `WITH deleted AS (DELETE FROM runs_ended WHERE id IN (
         SELECT runs.id FROM tenant_queues JOIN runs_ended runs USING (tenant_id)
         WHERE tenant_queues.removed_at IS NOT NULL
         LIMIT ${RETENTION_BATCH} FOR UPDATE OF runs SKIP LOCKED
       ) RETURNING id), ${OF_DELETED} TABLE deleted`,
      [],
    );
  }

  /**
   * Deletes rows about changes of runs that are all deleted, among the next `RETENTION_BATCH` that are older than `afterDays`. Those
   * of runs that a job keeps for fewer days wait as long; they say nothing but ids.
   *
   * @param after the end of the part that the call before looked at, or null
   */
  async deleteChanges(
    handle: AutoCommit,
    afterDays: number,
    after: string | null,
  ): Promise<DeletedPart<string>> {
    const [part] = await rows<DeletedPart<string>>(
      handle,
      `WITH old AS MATERIALIZED (
         SELECT * FROM (
           SELECT last_line, at, run_ids FROM run_changes WHERE last_line > $2 ORDER BY last_line LIMIT ${RETENTION_BATCH}
         ) next WHERE at < now() - make_interval(days => $1)
       ), deleted AS (
         DELETE FROM run_changes WHERE last_line IN (
           SELECT last_line FROM old WHERE NOT EXISTS (SELECT FROM runs WHERE runs.id = ANY (old.run_ids))
         ) RETURNING 1
       )
       SELECT (SELECT count(*)::int FROM deleted) AS deleted,
              (SELECT max(last_line)::text FROM old HAVING count(*) = ${RETENTION_BATCH}) AS end`,
      [afterDays, after ?? '0'],
    );
    return part ?? { deleted: 0, end: null };
  }

  /**
   * Deletes steps of runs that are deleted, among the next `RETENTION_BATCH`. They are large, so they do not go with the batch of
   * their runs; and a step that is kept just as its run is deleted goes, too.
   *
   * @param after the end of the part that the call before looked at, or null
   */
  async deleteSteps(handle: AutoCommit, after: StepAt | null): Promise<DeletedPart<StepAt>> {
    const [part] = await rows<{ deleted: number; looked: number } & { [Key in keyof StepAt]: string | null }>(
      handle,
      `WITH next AS MATERIALIZED (
         SELECT run_id, name FROM run_steps WHERE (run_id, name) > ($1, $2) ORDER BY run_id, name LIMIT ${RETENTION_BATCH}
       ), deleted AS (
         DELETE FROM run_steps WHERE (run_id, name) IN (
           SELECT run_id, name FROM run_steps JOIN next USING (run_id, name)
           WHERE NOT EXISTS (SELECT FROM runs WHERE runs.id = run_id) FOR UPDATE OF run_steps SKIP LOCKED
         ) RETURNING 1
       ), last AS (
         SELECT run_id, name FROM next ORDER BY run_id DESC, name DESC LIMIT 1
       )
       SELECT (SELECT count(*)::int FROM deleted) AS deleted, (SELECT count(*)::int FROM next) AS looked,
              (SELECT run_id FROM last) AS "runId", (SELECT name FROM last) AS name`,
      [after?.runId ?? '', after?.name ?? ''],
    );
    const { deleted = 0, looked = 0, runId = null, name = null } = part ?? {};
    const end = looked < RETENTION_BATCH || runId === null || name === null ? null : { runId, name };
    return { deleted, end };
  }

  /**
   * Deletes the queues of deleted tenants without runs, a day after their deletion, when no request of theirs is in progress.
   */
  async deleteQueues(handle: AutoCommit): Promise<number> {
    return await this.count(
      handle,
      `DELETE FROM tenant_queues WHERE tenant_id IN (
         SELECT tenant_id FROM tenant_queues
         WHERE removed_at < now() - interval '1 day' AND running = 0
           AND NOT EXISTS (SELECT FROM runs WHERE runs.tenant_id = tenant_queues.tenant_id)
         LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED
       ) RETURNING tenant_id`,
      [],
    );
  }

  /** Forgets when runs began that no rate counts any more, as none is about more than a day; and all of deleted tenants. */
  async deleteStarts(handle: AutoCommit): Promise<number> {
    return await this.count(
      handle,
      `DELETE FROM run_rates WHERE (tenant_id, job_id, key) IN (
         SELECT tenant_id, job_id, key FROM run_rates
         WHERE free_at IS NULL AND coalesce(starts[cardinality(starts)], '-infinity') < now() - interval '1 day'
           OR tenant_id IN (SELECT tenant_id FROM tenant_queues WHERE removed_at IS NOT NULL)
         LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED
       ) RETURNING key`,
      [],
    );
  }

  /** Deletes expired idempotency keys. */
  async deleteIdempotencyKeys(handle: AutoCommit, afterHours: number): Promise<number> {
    return await this.count(
      handle,
      `DELETE FROM run_requests WHERE (tenant_id, job_id, key) IN (
         SELECT tenant_id, job_id, key FROM run_requests
         WHERE created_at < now() - make_interval(hours => $1)
         ORDER BY created_at LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED
       ) RETURNING key`,
      [afterHours],
    );
  }

  /** Deletes old rows of the stats, and those of deleted tenants. */
  async deleteStats(
    handle: AutoCommit,
    { figuresOfMinutesDays, figuresOfHoursDays, figuresOfDaysDays }: Config['timing']['lives'],
  ): Promise<number> {
    const keptDays = { 1: figuresOfMinutesDays, 60: figuresOfHoursDays, 1440: figuresOfDaysDays };
    const old = Object.entries(keptDays).map(
      ([minutes, days]) => `(minutes = ${minutes} AND at < now() - interval '${days} days')`,
    );
    return await this.count(
      handle,
      `DELETE FROM run_stats WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM run_stats WHERE ${old.join(' OR ')}
           OR tenant_id IN (SELECT tenant_id FROM tenant_queues WHERE removed_at IS NOT NULL)
         LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED
       )) RETURNING 1`,
      [],
    );
  }

  /** Deletes workers that died without deregistering, long after other workers took their runs. */
  async deleteWorkers(handle: AutoCommit): Promise<number> {
    return await this.count(
      handle,
      `DELETE FROM workers WHERE id IN (
         SELECT id FROM workers WHERE heartbeat_at < now() - interval '1 day'
         LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED
       ) RETURNING id`,
      [],
    );
  }

  /** Whether there are runs that ended so long ago. */
  async hasEndedBefore(reader: Reader, days: number): Promise<boolean> {
    const sql: SelectText = `SELECT FROM runs_ended WHERE completed_at < now() - make_interval(days => $1) LIMIT 1`;
    return (await firstRow(reader, sql, [days])) !== null;
  }

  private async count(handle: AutoCommit, sql: string, parameters: readonly unknown[]): Promise<number> {
    return (await rows(handle, sql, parameters)).length;
  }
}
