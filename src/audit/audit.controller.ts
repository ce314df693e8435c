import { Controller, Query, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Database } from '../platform/database/index.js';
import { CurrentTenant, decodeCursor, Endpoint, pageOf, sendPage } from '../platform/http/index.js';
import type { Tenant } from '../platform/http/index.js';
import { AuditEntryRepository } from './audit-entry.repository.js';
import { AuditEntryDto, AuditQuery, toAuditEntryDto, toAuditFilters } from './dto/audit-entry.js';

const ENTRY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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
  async list(
    @CurrentTenant() tenant: Tenant,
    @Query() query: AuditQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuditEntryDto[]> {
    const before = query.cursor === undefined ? null : decodeCursor(query.cursor, ENTRY_ID);
    const found = await this.entries.listOfOrg(this.database.reader, tenant.id, toAuditFilters(query), {
      limit: query.limit + 1,
      before,
    });
    return sendPage(
      pageOf(found, query.limit, ({ id }) => id),
      request,
      reply,
    ).map(toAuditEntryDto);
  }
}
