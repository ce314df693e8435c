import { Controller, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Endpoint, UuidField } from '../../http/index.js';
import type { Page, ServiceRequest, TenantId } from '../../http/index.js';
import { AuditEntryDto } from '../dto/audit-entry.js';
import { AuditExportQuery, AuditQuery, EXPORT, FEW_MATCHES } from '../dto/audit-query.js';
import { AuditReading } from './audit-reading.js';
import type { AuditScope } from './audit-search.js';
import { ShowsExport } from './shows-export.js';

const TENANT = {
  optional: true,
  description:
    'Id of an organization or project. Without it, entries of all of them, of accounts and of the deployment.',
} as const;

export class OperatorAuditQuery extends AuditQuery {
  @UuidField(TENANT)
  org_id?: string;
}

export class OperatorAuditExportQuery extends AuditExportQuery {
  @UuidField(TENANT)
  org_id?: string;
}

function scopeOf({ org_id: tenantId }: { readonly org_id?: string }): AuditScope {
  return tenantId === undefined ? 'deployment' : (tenantId as TenantId);
}

@ApiTags('Operator')
@Controller('admin/v1/audit')
export class OperatorAuditController {
  constructor(private readonly reading: AuditReading) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'The audit trail of the whole deployment, newest first',
    description: `Entries of all organizations or projects, of accounts, and of the deployment itself. ${FEW_MATCHES}`,
    response: [AuditEntryDto],
    errors: ['validation_failed', 'rate_limited', 'overloaded'],
  })
  async list(
    @Query() query: OperatorAuditQuery,
    @Req() request: ServiceRequest,
  ): Promise<Page<AuditEntryDto>> {
    return await this.reading.page(scopeOf(query), query, request);
  }

  @ShowsExport()
  @Endpoint.get('export', {
    access: 'operator',
    summary: 'The audit trail of the whole deployment as a file',
    description: EXPORT,
    status: 200,
    errors: ['validation_failed', 'rate_limited', 'overloaded'],
  })
  export(
    @Query() query: OperatorAuditExportQuery,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): StreamableFile {
    return this.reading.export(scopeOf(query), query, request, reply);
  }
}
