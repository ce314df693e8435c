import { Controller, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Database } from '../platform/database/index.js';
import { CurrentTenant, decodeCursor, Endpoint, pageOf } from '../http/index.js';
import type { Page, Tenant } from '../http/index.js';
import { AuditEntryRepository } from './audit-entry.repository.js';
import { AuditEntryDto, AuditQuery, toAuditEntryDto, toAuditFilters } from './dto/audit-entry.js';

@ApiTags('Organizations')
@Controller('auth/v1/orgs/:org/audit')
export class AuditController {
  constructor(
    private readonly database: Database,
    private readonly entries: AuditEntryRepository,
  ) {}

  @Endpoint.get('', {
    access: 'auth:audit:read',
    summary: "The organization's audit trail, newest first",
    response: [AuditEntryDto],
    errors: ['validation_failed'],
  })
  @ApiParam({ name: 'org', type: String, example: 'acme', description: 'Organization id or slug.' })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: AuditQuery): Promise<Page<AuditEntryDto>> {
    const before = decodeCursor(query.cursor);
    const found = await this.entries.listOfOrg(this.database.reader, tenant.id, toAuditFilters(query), {
      limit: query.limit + 1,
      before,
    });
    return pageOf(found, query.limit, ({ id }) => id).map(toAuditEntryDto);
  }
}
