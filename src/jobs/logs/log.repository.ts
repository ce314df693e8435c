import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Reader, SelectText } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';
import { LOG_LEVELS, levelsFrom } from './log-line.js';
import type { LineOrder, LogFilter, LogLevel, LogLine } from './log-line.js';
import { HIGHEST_LINE, NEWEST_FIRST, OLDEST_FIRST } from './line-statements.js';

/** A line as a handler printed it. */
export interface PrintedLine {
  readonly runId: string;
  readonly attempt: number | null;
  readonly level: LogLevel;
  /** Storable text, already cut: `LineBudget` does both for what functions print. */
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A range of lines by id, and how many of them to read. */
export interface LineRange {
  readonly after: bigint;
  /** The id of the last line; null for no end. */
  readonly upTo: bigint | null;
  readonly limit: number;
  /** Bytes of messages; at most one line beyond them is read. */
  readonly maxBytes: number;
  /** From the oldest (`asc`, the default) or from the newest line of the range. */
  readonly order?: LineOrder;
}

export interface FoundLines {
  readonly lines: LogLine[];
  /** Whether these are all lines of the range: neither `limit` nor `maxBytes` cut it. */
  readonly isAll: boolean;
}

@Injectable()
export class LogRepository {
  /** Leaves out lines of runs that no longer exist. */
  async insertLines(handle: AutoCommit, lines: readonly PrintedLine[]): Promise<void> {
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

  /** Lines of a tenant, in the order of the range. */
  async list(handle: Reader, tenantId: TenantId, filter: LogFilter, range: LineRange): Promise<FoundLines> {
    const { runId, jobId, level, since } = filter;
    const texts = range.order === 'desc' ? NEWEST_FIRST : OLDEST_FIRST;
    return runId === null
      ? await read(handle, texts.ofTenants, range, [[tenantId], levelsFrom(level), since, jobId])
      : await read(handle, texts.ofRun, range, [tenantId, levelsFrom(level), since, runId]);
  }

  /** Lines of several tenants, oldest first. */
  async listOf(handle: Reader, tenantIds: readonly string[], range: LineRange): Promise<FoundLines> {
    return await read(handle, OLDEST_FIRST.ofTenants, range, [tenantIds, LOG_LEVELS, null, null]);
  }

  /**
   * The id of a line up to which every line is visible and no further line will appear.
   * @returns null when an earlier line has still not been committed after `patienceMs`
   */
  async settled(handle: Reader, patienceMs: number): Promise<bigint | null> {
    const found = await firstRow<{ id: string | null }>(handle, 'SELECT settled_log_id($1)::text AS id', [
      patienceMs,
    ]);
    return typeof found?.id === 'string' ? BigInt(found.id) : null;
  }

  /** The id of the last line of any tenant. */
  async last(handle: Reader): Promise<bigint> {
    const found = await firstRow<{ id: string }>(
      handle,
      `SELECT greatest(0, (SELECT max(id) FROM run_logs), (SELECT max(last_line) FROM run_changes))::text AS id`,
    );
    return BigInt(found?.id ?? 0);
  }

  /** How many milliseconds ago the tenant's run ended; `endedForMs` is null until then. Null for an unknown run. */
  async findRun(
    handle: Reader,
    tenantId: TenantId,
    runId: string,
  ): Promise<{ endedForMs: number | null } | null> {
    return await firstRow(
      handle,
      `SELECT (1000 * extract(epoch FROM now() - completed_at))::float8 AS "endedForMs"
       FROM runs WHERE tenant_id = $1 AND id = $2`,
      [tenantId, runId],
    );
  }
}

async function read(
  handle: Reader,
  text: SelectText,
  { after, upTo, limit, maxBytes }: LineRange,
  selection: readonly unknown[],
): Promise<FoundLines> {
  const lines = await rows<LogLine>(handle, text, [
    limit,
    maxBytes,
    after,
    upTo ?? HIGHEST_LINE,
    ...selection,
  ]);
  const bytes = lines.reduce((sum, { message }) => sum + Buffer.byteLength(message), 0);
  return { lines, isAll: lines.length < limit && bytes <= maxBytes };
}
