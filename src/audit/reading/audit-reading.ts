import { Injectable, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { decodeCursor, onResponseGone, Page, watchAccess } from '../../http/index.js';
import type { ServiceRequest } from '../../http/index.js';
import { Searches } from '../../limits/index.js';
import type { AuditExportQuery, AuditQuery } from '../dto/audit-query.js';
import { toAuditFilters } from '../dto/audit-query.js';
import { toNamedAuditEntryDto } from '../dto/audit-entry.js';
import type { AuditEntryDto } from '../dto/audit-entry.js';
import { callerKey } from '../audit-entry.js';
import { AuditExport } from './audit-export.js';
import { AuditNames } from './audit-names.js';
import { AuditSearch, isFiltered } from './audit-search.js';
import type { AuditScope, FoundEntries } from './audit-search.js';

/** Bytes of details that a page has, so that nobody makes the program hold much more for a response. */
const PAGE_BYTES = 512 * 1024;

const TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

/** The trails as the endpoints of organizations, projects and operators show them. */
@Injectable()
export class AuditReading {
  constructor(
    private readonly search: AuditSearch,
    private readonly searches: Searches,
    private readonly names: AuditNames,
    private readonly exports: AuditExport,
  ) {}

  /** @throws rate_limited, overloaded */
  async page(
    scope: AuditScope,
    query: AuditQuery,
    { caller, operator }: ServiceRequest,
  ): Promise<Page<AuditEntryDto>> {
    const before = decodeCursor(query.cursor);
    const filters = toAuditFilters(query);
    const size = { limit: query.limit, maxBytes: PAGE_BYTES };
    const find = (): Promise<FoundEntries> => this.search.find(scope, filters, before, size);
    const searcher = { tenant: scope, caller: callerKey(operator ?? caller) };
    const { entries, next } = isFiltered(filters)
      ? await this.searches.run(searcher, (step) => step(find))
      : await find();
    const nameOf = await this.names.of(entries, scope);
    return Page.until(
      entries.map((entry) => toNamedAuditEntryDto(entry, nameOf)),
      next,
    );
  }

  /**
   * The body of an export. It breaks off when the caller loses access.
   * @throws rate_limited, overloaded
   */
  export(
    scope: AuditScope,
    query: AuditExportQuery,
    request: ServiceRequest,
    reply: FastifyReply,
  ): StreamableFile {
    const place = this.exports.admit(scope, callerKey(request.operator ?? request.caller));
    // Not at the end of the stream, when the response may still hold its last part.
    onResponseGone(reply, () => {
      place.release();
    });
    const stream = this.exports.stream(scope, toAuditFilters(query), query.format);
    const endWatch = watchAccess(request, () => {
      stream.destroy(new Error('the caller lost access during an export of the audit trail'));
    });
    stream.once('close', endWatch);
    return new StreamableFile(stream, {
      type: TYPES[query.format],
      disposition: `attachment; filename="audit.${query.format}"`,
    });
  }
}
