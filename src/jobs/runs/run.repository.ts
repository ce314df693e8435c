import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../platform/http/index.js';
import type { NewRun, Run, RunDetails } from './run.js';

const RUN_COLUMNS = `
  id, job_id AS "jobId", status, trigger, attempt, max_attempts AS "maxAttempts", scheduled_for AS "scheduledFor",
  created_at AS "createdAt", started_at AS "startedAt", completed_at AS "completedAt", retry_of AS "retryOf",
  error_code AS "errorCode", error_message AS "errorMessage"`;

/** Runs as callers of the API see them. */
@Injectable()
export class RunRepository {
  /** Adds runs, each with what it needs of its job. Those that no job takes are left out. */
  async insert(tx: Tx, runs: readonly NewRun[]): Promise<Run[]> {
    return await rows<Run>(
      tx,
      `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, handler, timeout_ms, retry_backoff,
                         max_attempts, due_at, scheduled_for, retry_of, trace_parent)
       SELECT new.id, job.tenant_id, job.id, 'queued', new.trigger, new.payload, job.handler, job.timeout_ms,
              job.retry_backoff, job.retries + 1, now() + make_interval(secs => new.delay_ms / 1000),
              new.scheduled_for, new.retry_of, new.trace_parent
       FROM unnest($1::text[], $2::uuid[], $3::text[], $4::jsonb[], $5::json[], $6::float8[],
                   $7::timestamptz[], $8::text[], $9::text[])
            AS new (id, tenant_id, job_id, trigger, payload, delay_ms, scheduled_for, retry_of, trace_parent)
       JOIN jobs job ON job.tenant_id = new.tenant_id AND job.id = new.job_id
       WHERE NOT job.paused OR new.trigger ->> 'type' = 'manual'
       RETURNING ${RUN_COLUMNS}`,
      [
        runs.map((run) => run.id),
        runs.map((run) => run.tenantId),
        runs.map((run) => run.jobId),
        runs.map((run) => JSON.stringify(run.trigger)),
        runs.map((run) => run.payload),
        runs.map((run) => run.delayMs),
        runs.map((run) => run.scheduledFor),
        runs.map((run) => run.retryOf),
        runs.map((run) => run.traceParent),
      ],
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
