import { Injectable, StreamableFile } from '@nestjs/common';
import { decodeCursor, Page } from '../../http/index.js';
import type { ServiceRequest } from '../../http/index.js';
import type { AuditExportQuery, AuditQuery } from '../dto/audit-query.js';
import { toAuditFilters } from '../dto/audit-query.js';
import { toNamedAuditEntryDto } from '../dto/audit-entry.js';
import type { AuditEntryDto } from '../dto/audit-entry.js';
import { AuditExport } from './audit-export.js';
import { AuditNames } from './audit-names.js';
import { AuditSearch } from './audit-search.js';
import type { AuditScope } from './audit-search.js';

const TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

/** The trails as the endpoints of organizations, projects and operators show them. */
@Injectable()
export class AuditReading {
  constructor(
    private readonly search: AuditSearch,
    private readonly names: AuditNames,
    private readonly exports: AuditExport,
  ) {}

  async page(scope: AuditScope, query: AuditQuery): Promise<Page<AuditEntryDto>> {
    const before = decodeCursor(query.cursor);
    const { entries, next } = await this.search.find(scope, toAuditFilters(query), before, query.limit);
    const nameOf = await this.names.of(entries);
    return Page.until(
      entries.map((entry) => toNamedAuditEntryDto(entry, nameOf)),
      next,
    );
  }

  /** The body of an export. It breaks off when the caller loses access. */
  export(scope: AuditScope, query: AuditExportQuery, request: ServiceRequest): StreamableFile {
    const stream = this.exports.stream(scope, toAuditFilters(query), query.format);
    const endWatch = request.revocableAccess?.watch(() => {
      stream.destroy(new Error('the caller lost access during an export of the audit trail'));
    });
    stream.once('close', () => endWatch?.());
    return new StreamableFile(stream, {
      type: TYPES[query.format],
      disposition: `attachment; filename="audit.${query.format}"`,
    });
  }
}
