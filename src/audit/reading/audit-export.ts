import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { ServiceError } from '../../http/index.js';
import { csvLine } from './csv.js';
import { AuditNames } from './audit-names.js';
import type { NameOf } from './audit-names.js';
import { AuditSearch } from './audit-search.js';
import type { AuditFilters, AuditScope } from './audit-search.js';
import type { AuditEntry } from '../audit-entry.repository.js';
import { toNamedAuditEntryDto } from '../dto/audit-entry.js';

export type ExportFormat = 'csv' | 'ndjson';

/** Entries that one statement reads: a chunk of about 200 kB. */
const BATCH = 250;
/** Exports of one trail at once: each reads all the time, over a connection. */
const AT_ONCE = 2;

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

/** Writes the entries of a trail that match filters, newest first. */
@Injectable()
export class AuditExport {
  private readonly underway = new Map<AuditScope, number>();

  constructor(
    private readonly search: AuditSearch,
    private readonly names: AuditNames,
  ) {}

  /**
   * A stream that reads the next entries only when the reader has taken the former. Each batch is a statement of its
   * own, by key, so that no snapshot is held while a slow reader reads. When the reader leaves, the statement that is
   * under way is the last one.
   * @throws overloaded
   */
  stream(scope: AuditScope, filters: AuditFilters, format: ExportFormat): Readable {
    const others = this.underway.get(scope) ?? 0;
    if (others >= AT_ONCE) throw new ServiceError('overloaded');
    this.underway.set(scope, others + 1);
    const chunks = this.chunks(scope, filters, format);
    const stream = Readable.from(chunks, { objectMode: false, highWaterMark: 1 });
    return stream.once('close', () => {
      this.ended(scope);
    });
  }

  private ended(scope: AuditScope): void {
    const left = (this.underway.get(scope) ?? 0) - 1;
    if (left > 0) this.underway.set(scope, left);
    else this.underway.delete(scope);
  }

  private async *chunks(
    scope: AuditScope,
    filters: AuditFilters,
    format: ExportFormat,
  ): AsyncGenerator<Buffer, void, undefined> {
    if (format === 'csv') yield Buffer.from(csvLine(COLUMNS));
    let before: string | null = null;
    do {
      const { entries, next } = await this.search.find(scope, filters, before, BATCH);
      const nameOf = await this.names.of(entries);
      const lines = entries.map((entry) => lineOf(entry, nameOf, format));
      // Also without a line: a generator that is not at a yield cannot be ended.
      yield Buffer.from(lines.join(''));
      before = next;
    } while (before !== null);
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
