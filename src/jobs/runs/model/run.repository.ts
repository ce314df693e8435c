import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../../platform/database/index.js';
import type { Reader, Tx } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import type { ActingRun, Run, RunDetails, RunTrigger } from './run.js';
import type { RunStatus } from './run-status.js';
import { isUnclaimed, isWaiting } from './status-sql.js';

/** In SQL: the columns of `Run`, selected from anything that has the columns of `runs`. */
export const RUN_COLUMNS = `
  id, job_id AS "jobId", status, trigger, priority, attempt, max_attempts AS "maxAttempts", scheduled_for AS "scheduledFor",
  CASE WHEN ${isWaiting('status')} THEN due_at END AS "dueAt", start_before AS "startBefore",
  created_at AS "createdAt", started_at AS "startedAt", completed_at AS "completedAt", retry_of AS "retryOf",
  trigger ->> 'run_id' AS "parentRunId", error_code AS "errorCode", error_message AS "errorMessage"`;

/** In SQL: whether the job of a run is open to users now. */
export const IS_OF_OPEN_JOB = `EXISTS (SELECT FROM jobs WHERE jobs.tenant_id = runs.tenant_id AND jobs.id = runs.job_id
  AND jobs.invocable_by = 'authenticated')`;

/** In SQL: whether the caller may see the run: any, if the parameter is null, or one that this user triggered. */
const IS_OF_OWNER = `($3::text IS NULL OR (trigger ->> 'user_id' = $3 AND of_open_job AND ${IS_OF_OPEN_JOB}))`;

/** The part of an ended run that a repetition needs. */
export interface RepeatableRun {
  readonly jobId: string;
  readonly status: RunStatus;
  readonly trigger: RunTrigger;
  readonly payload: string;
  readonly scheduledFor: Date | null;
}

/** In SQL: the columns of `RepeatableRun`. */
const REPEATABLE_COLUMNS =
  'job_id AS "jobId", status, trigger, payload::text, scheduled_for AS "scheduledFor"';

/** Runs as callers of the API see them. */
@Injectable()
export class RunRepository {
  /** The newest run of each of these jobs that has one. */
  async listNewest(handle: Tx | Reader, tenantId: TenantId, jobIds: readonly string[]): Promise<Run[]> {
    return await rows<Run>(
      handle,
      `SELECT run.* FROM unnest($2::text[]) AS wanted (job_id) CROSS JOIN LATERAL (
         SELECT ${RUN_COLUMNS} FROM runs
         WHERE runs.tenant_id = $1 AND runs.job_id = wanted.job_id ORDER BY id DESC LIMIT 1
       ) run`,
      [tenantId, jobIds],
    );
  }

  /** The parts of these runs that their repetitions need, by id. */
  async findRepeatables(
    handle: Tx | Reader,
    tenantId: TenantId,
    ids: readonly string[],
  ): Promise<Map<string, RepeatableRun>> {
    const found = await rows<RepeatableRun & { id: string }>(
      handle,
      `SELECT ${REPEATABLE_COLUMNS}, id FROM runs WHERE tenant_id = $1 AND id = ANY ($2)`,
      [tenantId, ids],
    );
    return new Map(found.map((run) => [run.id, run]));
  }

  async findRepeatable(handle: Tx | Reader, tenantId: TenantId, id: string): Promise<RepeatableRun | null> {
    return await firstRow<RepeatableRun>(
      handle,
      `SELECT ${REPEATABLE_COLUMNS} FROM runs WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
    );
  }

  async findActing(handle: Tx | Reader, tenantId: TenantId, id: string): Promise<ActingRun | null> {
    return await firstRow<ActingRun>(
      handle,
      `SELECT acts_as_caller AS "actsAsCaller", permissions, trigger FROM runs WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
    );
  }

  /** Those of these runs that there are, by id. @param ownerId as for `findById` */
  async findAll(
    handle: Tx | Reader,
    tenantId: TenantId,
    ids: readonly string[],
    ownerId: string | null,
  ): Promise<Map<string, Run>> {
    const found = await rows<Run>(
      handle,
      `SELECT ${RUN_COLUMNS} FROM runs WHERE tenant_id = $1 AND id = ANY ($2) AND ${IS_OF_OWNER}`,
      [tenantId, ids, ownerId],
    );
    return new Map(found.map((run) => [run.id, run]));
  }

  /** @param ownerId if given, only a run that this user triggered, of a job that is open to users */
  async findById(
    handle: Tx | Reader,
    tenantId: TenantId,
    id: string,
    ownerId: string | null,
  ): Promise<RunDetails | null> {
    const run = await firstRow<Omit<RunDetails, 'attempts'>>(
      handle,
      `SELECT ${RUN_COLUMNS}, payload::text, result::text FROM runs
       WHERE tenant_id = $1 AND id = $2 AND ${IS_OF_OWNER}`,
      [tenantId, id, ownerId],
    );
    if (run === null) return null;
    const attempts = await rows<RunDetails['attempts'][number]>(
      handle,
      `SELECT number, started_at AS "startedAt", completed_at AS "completedAt", outcome,
              status_code AS "statusCode", error
       FROM attempts_of_runs WHERE run_id = $1 ORDER BY number`,
      [id],
    );
    return { ...run, attempts };
  }

  /** Whether the tenant has this job and has opened it to users. */
  async isOpenJob(handle: Tx | Reader, tenantId: TenantId, jobId: string): Promise<boolean> {
    const open = `SELECT FROM jobs WHERE tenant_id = $1 AND id = $2 AND invocable_by = 'authenticated'`;
    return (await firstRow(handle, open, [tenantId, jobId])) !== null;
  }

  /** How many runs of the whole deployment are due and have not started. */
  async countDue(handle: Tx | Reader): Promise<number> {
    const counted = await firstRow<{ due: number }>(
      handle,
      `SELECT count(*)::int AS due FROM runs_active WHERE ${isUnclaimed('status')} AND due_at <= now()`,
    );
    return counted?.due ?? 0;
  }
}
