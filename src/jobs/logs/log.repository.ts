import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { OneStatement, Reader } from '../../platform/database/index.js';
import type { TenantId } from '../../platform/http/index.js';
import { levelsFrom } from './log-line.js';
import type { LogFilter, LogLevel, LogLine, LogPosition } from './log-line.js';

/** A line as a handler printed it. */
export interface PrintedLine {
  readonly runId: string;
  readonly attempt: number | null;
  readonly level: LogLevel;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const LINE_COLUMNS = `
  xid::text AS xid, id::text AS id, at, tenant_id AS "tenantId", run_id AS "runId", job_id AS "jobId", attempt, level,
  message, ends_run AS "endsRun"`;
/** Transactions before this one have all ended: what they wrote is there, and nothing more will come. */
const HORIZON = 'pg_snapshot_xmin(pg_current_snapshot())';

@Injectable()
export class LogRepository {
  /** Lines of runs that are gone are left out. */
  async insert(handle: OneStatement, lines: readonly PrintedLine[]): Promise<void> {
    await rows(
      handle,
      `INSERT INTO run_logs (tenant_id, run_id, job_id, attempt, level, message, at)
       SELECT run.tenant_id, run.id, run.job_id, line.attempt, line.level, line.message, to_timestamp(line.at / 1000)
       FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::float8[]) WITH ORDINALITY
            AS line (run_id, attempt, level, message, at, place)
       JOIN runs run ON run.id = line.run_id
       ORDER BY line.place`,
      [
        lines.map(({ runId }) => runId),
        lines.map(({ attempt }) => attempt),
        lines.map(({ level }) => level),
        lines.map(({ message }) => message),
        lines.map(({ at }) => at),
      ],
    );
  }

  /**
   * Lines of a tenant after a position, oldest first.
   * @param isSettled only those before which no other line can come any more
   */
  async list(
    handle: Reader,
    tenantId: TenantId,
    filter: LogFilter,
    after: LogPosition,
    limit: number,
    isSettled: boolean,
  ): Promise<LogLine[]> {
    return await rows<LogLine>(
      handle,
      `SELECT ${LINE_COLUMNS} FROM run_logs
       WHERE tenant_id = $1 AND (xid, id) > ($2::xid8, $3::bigint) AND level = ANY ($4)
         AND ($5::text IS NULL OR run_id = $5) AND ($6::text IS NULL OR job_id = $6)
         AND ($7::timestamptz IS NULL OR at >= $7) AND (NOT $8 OR xid < ${HORIZON})
       ORDER BY run_logs.xid, run_logs.id LIMIT $9`,
      [
        tenantId,
        after.xid,
        after.id,
        levelsFrom(filter.level),
        filter.runId,
        filter.jobId,
        filter.since,
        isSettled,
        limit,
      ],
    );
  }

  /** New lines of several tenants, and how far they are told. */
  async poll(
    handle: Reader,
    tenantIds: readonly string[],
    after: LogPosition,
    limit: number,
  ): Promise<{ lines: LogLine[]; told: LogPosition }> {
    const found = await rows<LogLine & { horizon: string }>(
      handle,
      `SELECT line.*, ${HORIZON}::text AS horizon
       FROM (SELECT) AS always
       LEFT JOIN LATERAL (
         SELECT ${LINE_COLUMNS} FROM run_logs
         WHERE tenant_id = ANY ($1) AND (xid, id) > ($2::xid8, $3::bigint) AND xid < ${HORIZON}
         ORDER BY run_logs.xid, run_logs.id LIMIT $4
       ) AS line ON true
       ORDER BY line.xid::xid8, line.id::bigint`,
      [tenantIds, after.xid, after.id, limit],
    );
    const lines = found.filter((line) => (line.id as string | null) !== null);
    const last = lines.at(-1);
    if (lines.length === limit && last !== undefined) return { lines, told: last };
    return { lines, told: { xid: found[0]?.horizon ?? after.xid, id: '0' } };
  }

  /** From where everything is yet to come. */
  async horizon(handle: Reader): Promise<LogPosition> {
    const found = await firstRow<{ xid: string }>(handle, `SELECT ${HORIZON}::text AS xid`);
    return { xid: found?.xid ?? '0', id: '0' };
  }

  /** When the tenant's run ended, and which transactions may have written of it; null for an unknown run. */
  async findRun(
    handle: Reader,
    tenantId: TenantId,
    runId: string,
  ): Promise<{ endedAt: Date | null; settledAt: string } | null> {
    return await firstRow(
      handle,
      `SELECT completed_at AS "endedAt", pg_snapshot_xmax(pg_current_snapshot())::text AS "settledAt"
       FROM runs WHERE tenant_id = $1 AND id = $2`,
      [tenantId, runId],
    );
  }
}
