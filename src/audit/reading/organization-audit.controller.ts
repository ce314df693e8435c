import { Controller, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentTenant, Endpoint } from '../../http/index.js';
import type { Page, ServiceRequest, Tenant } from '../../http/index.js';
import { tenantChain } from '../audit-entry.js';
import { AuditVerifications } from '../chains/audit-verifications.js';
import { AuditEntryDto } from '../dto/audit-entry.js';
import { AuditExportQuery, AuditQuery, EXPORT, FEW_MATCHES } from '../dto/audit-query.js';
import { AuditVerificationDto, toAuditVerificationDto } from '../dto/audit-verification.js';
import { AuditReading } from './audit-reading.js';
import { ShowsExport } from './shows-export.js';

@ApiTags('Organizations')
@ApiParam({ name: 'org', type: String, example: 'acme', description: 'Organization id or slug.' })
@Controller('auth/v1/orgs/:org/audit')
export class OrganizationAuditController {
  constructor(
    private readonly reading: AuditReading,
    private readonly verifications: AuditVerifications,
  ) {}

  @Endpoint.get('', {
    access: 'auth:audit:read',
    summary: "The organization's audit trail, newest first",
    description: FEW_MATCHES,
    response: [AuditEntryDto],
    errors: ['validation_failed', 'rate_limited', 'overloaded'],
  })
  async list(
    @CurrentTenant() tenant: Tenant,
    @Query() query: AuditQuery,
    @Req() request: ServiceRequest,
  ): Promise<Page<AuditEntryDto>> {
    return await this.reading.page(tenant.id, query, request);
  }

  @ShowsExport()
  @Endpoint.get('export', {
    access: 'auth:audit:read',
    summary: "The organization's audit trail as a file",
    description: EXPORT,
    status: 200,
    errors: ['validation_failed', 'rate_limited', 'overloaded'],
  })
  export(
    @CurrentTenant() tenant: Tenant,
    @Query() query: AuditExportQuery,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): StreamableFile {
    return this.reading.export(tenant.id, query, request, reply);
  }

  @Endpoint.get('verification', {
    access: 'auth:audit:read',
    summary: "Verify the hash chain of the organization's audit trail",
    response: AuditVerificationDto,
    errors: ['overloaded'],
  })
  async verify(@CurrentTenant() tenant: Tenant): Promise<AuditVerificationDto> {
    return toAuditVerificationDto(await this.verifications.verifyChain(tenantChain(tenant.id)));
  }
}
