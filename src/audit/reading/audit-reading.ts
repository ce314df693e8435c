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

/** The maximum size of details in a page, in bytes, so that no response makes the program hold much more. */
const PAGE_BYTES = 512 * 1024;

const TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

/** Reads trails for the endpoints of organizations, projects and operators. */
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

  /** The body of an export. It ends early if the caller loses access. @throws rate_limited, overloaded */
  export(
    scope: AuditScope,
    query: AuditExportQuery,
    request: ServiceRequest,
    reply: FastifyReply,
  ): StreamableFile {
    const permit = this.exports.acquirePermit(scope, callerKey(request.operator ?? request.caller));
    // Not when the stream ends, because the response may still hold its last part.
    onResponseGone(reply, () => {
      permit.release();
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
