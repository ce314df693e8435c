import { Inject, Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import pLimit from 'p-limit';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { ConcurrencyLimit } from '../../limits/index.js';
import type { Permit } from '../../limits/index.js';
import { csvLine } from './csv.js';
import { AuditNames } from './audit-names.js';
import type { NameOf } from './audit-names.js';
import { AuditSearch } from './audit-search.js';
import type { AuditFilters, AuditScope } from './audit-search.js';
import type { AuditEntry } from '../audit-entry.repository.js';
import { toNamedAuditEntryDto } from '../dto/audit-entry.js';

export type ExportFormat = 'csv' | 'ndjson';

/**
 * Entries that one statement reads, and the most that an export holds: about 200 kB with the columns beside the
 * details.
 */
const BATCH = { limit: 250, maxBytes: 64 * 1024 };
/** Exports at one instance. */
const MAX_EXPORTS = 50;
/** Batches of all exports that are read at one time, each over its own connection. */
const READ_AT_ONCE = 2;

const COLUMNS = [
  'id',
  'at',
  'actor_type',
  'actor_id',
  'actor_name',
  'action',
  'target_type',
  'target_id',
  'target_name',
  'org_id',
  'ip',
  'user_agent',
  'details',
  'prev_hash',
  'hash',
] as const;

/** Where the next batch begins, and how many entries it may have. */
interface Position {
  readonly before: string | null;
  readonly limit: number;
}

/** Writes the entries of a trail that match filters, newest first. */
@Injectable()
export class AuditExport {
  private readonly concurrency: ConcurrencyLimit;
  private readonly reading = pLimit(READ_AT_ONCE);

  constructor(
    @Inject(CONFIG) { limits }: Pick<Config, 'limits'>,
    private readonly search: AuditSearch,
    private readonly names: AuditNames,
  ) {
    this.concurrency = new ConcurrencyLimit({
      setting: 'audit_exports',
      perTenant: limits.auditExports,
      perInstance: MAX_EXPORTS,
    });
  }

  /**
   * Acquires a permit for an export, which lasts until nothing of its response is left.
   * @throws rate_limited, overloaded
   */
  acquirePermit(scope: AuditScope, caller: string): Permit {
    return this.concurrency.acquire(scope, caller);
  }

  /**
   * A stream that reads the next entries only after the reader has taken the previous ones. Each batch is its own
   * statement and continues by key, so that a slow reader holds no snapshot. If the reader leaves, the current
   * statement is the last one.
   */
  stream(scope: AuditScope, filters: AuditFilters, format: ExportFormat): Readable {
    const chunks = this.chunks(scope, filters, format);
    return Readable.from(chunks, { objectMode: false, highWaterMark: 1 });
  }

  /** Keeps only the bytes of a batch: the generator waits at `yield` for as long as the reader does. */
  private async *chunks(
    scope: AuditScope,
    filters: AuditFilters,
    format: ExportFormat,
  ): AsyncGenerator<Buffer, void, undefined> {
    if (format === 'csv') yield Buffer.from(csvLine(COLUMNS));
    let position: Position | null = { before: null, limit: BATCH.limit };
    do {
      const batch: { bytes: Buffer; next: Position | null } = await this.batch(
        scope,
        filters,
        format,
        position,
      );
      position = batch.next;
      // Even without a line: a generator can only be ended while it is at a yield.
      yield batch.bytes;
    } while (position !== null);
  }

  private async batch(
    scope: AuditScope,
    filters: AuditFilters,
    format: ExportFormat,
    { before, limit }: Position,
  ): Promise<{ bytes: Buffer; next: Position | null }> {
    return await this.reading(async () => {
      const { maxBytes } = BATCH;
      const { entries, next, isCut } = await this.search.find(scope, filters, before, { limit, maxBytes });
      const nameOf = await this.names.of(entries, scope);
      const lines = entries.map((entry) => lineOf(entry, nameOf, format));
      // A statement that reads much more than it returns is not repeated for the rest.
      const nextLimit = isCut ? entries.length * 2 : BATCH.limit;
      return {
        bytes: Buffer.from(lines.join('')),
        next: next === null ? null : { before: next, limit: Math.min(nextLimit, BATCH.limit) },
      };
    });
  }
}

function lineOf(entry: AuditEntry, nameOf: NameOf, format: ExportFormat): string {
  const dto = toNamedAuditEntryDto(entry, nameOf);
  if (format === 'ndjson') return `${JSON.stringify(dto)}\n`;
  const { id, at, actor, action, target, org_id, ip, user_agent, details, prev_hash, hash } = dto;
  return csvLine([
    id,
    at,
    actor.type,
    actor.id,
    actor.name,
    action,
    target?.type ?? null,
    target?.id ?? null,
    target?.name ?? null,
    org_id,
    ip,
    user_agent,
    JSON.stringify(details),
    prev_hash,
    hash,
  ]);
}
