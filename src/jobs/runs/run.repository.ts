import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../platform/http/index.js';
import type { Run, RunDetails, RunTrigger } from './run.js';

const RUN_COLUMNS = `
  id, job_id AS "jobId", status, trigger, attempt, max_attempts AS "maxAttempts", scheduled_for AS "scheduledFor",
  created_at AS "createdAt", started_at AS "startedAt", completed_at AS "completedAt", retry_of AS "retryOf",
  error_code AS "errorCode", error_message AS "errorMessage"`;

export interface NewRun {
  readonly id: string;
  readonly jobId: string;
  readonly trigger: RunTrigger;
  /** JSON text. */
  readonly payload: string;
  readonly delayMs: number;
  readonly traceParent: string | null;
}

/** Runs as callers of the API see them. */
@Injectable()
export class RunRepository {
  /** Adds a run of a job, with what the run needs of it; null when there is no such job. */
  async insert(tx: Tx, tenantId: TenantId, run: NewRun): Promise<Run | null> {
    return await firstRow<Run>(
      tx,
      `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff,
                         max_attempts, due_at, trace_parent)
       SELECT $2, tenant_id, id, 'queued', $4, $5, handler, timeout_ms, retry_backoff, retries + 1,
              now() + make_interval(secs => $6::float8 / 1000), $7
       FROM jobs WHERE tenant_id = $1 AND id = $3
       RETURNING ${RUN_COLUMNS}`,
      [tenantId, run.id, run.jobId, JSON.stringify(run.trigger), run.payload, run.delayMs, run.traceParent],
    );
  }

  async list(handle: Tx | Reader, tenantId: TenantId, limit: number, before: string | null): Promise<Run[]> {
    return await rows<Run>(
      handle,
      `SELECT ${RUN_COLUMNS} FROM runs
       WHERE tenant_id = $1 AND ($3::text IS NULL OR id < $3)
       ORDER BY id DESC LIMIT $2`,
      [tenantId, limit, before],
    );
  }

  async findById(handle: Tx | Reader, tenantId: TenantId, id: string): Promise<RunDetails | null> {
    const run = await firstRow<Omit<RunDetails, 'attempts'>>(
      handle,
      `SELECT ${RUN_COLUMNS}, payload, result FROM runs WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
    );
    if (run === null) return null;
    const attempts = await rows<RunDetails['attempts'][number]>(
      handle,
      `SELECT number, started_at AS "startedAt", completed_at AS "completedAt", outcome,
              status_code AS "statusCode", error
       FROM run_attempts WHERE run_id = $1 ORDER BY number`,
      [id],
    );
    return { ...run, attempts };
  }

  /** Runs of the whole deployment that are due and have not started. */
  async countDue(handle: Tx | Reader): Promise<number> {
    const counted = await firstRow<{ due: number }>(
      handle,
      `SELECT count(*)::int AS due FROM runs WHERE status = 'queued' AND due_at <= now()`,
    );
    return counted?.due ?? 0;
  }
}
