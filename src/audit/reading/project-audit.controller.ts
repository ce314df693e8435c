import { Controller, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentProject, Endpoint } from '../../http/index.js';
import type { Page, ResolvedProject, ServiceRequest } from '../../http/index.js';
import { tenantChain } from '../audit-entry.js';
import { AuditVerifications } from '../chains/audit-verifications.js';
import { AuditEntryDto } from '../dto/audit-entry.js';
import { AuditExportQuery, AuditQuery, EXPORT, FEW_MATCHES } from '../dto/audit-query.js';
import { AuditVerificationDto, toAuditVerificationDto } from '../dto/audit-verification.js';
import { AuditReading } from './audit-reading.js';
import { ShowsExport } from './shows-export.js';

@ApiTags('Project settings')
@Controller('auth/v1/audit')
export class ProjectAuditController {
  constructor(
    private readonly reading: AuditReading,
    private readonly verifications: AuditVerifications,
  ) {}

  @Endpoint.get('', {
    access: 'service_key',
    summary: "The project's audit trail, newest first",
    description: `${FEW_MATCHES} What concerns the account of one user is in the trail of that user.`,
    response: [AuditEntryDto],
    errors: ['validation_failed', 'rate_limited', 'overloaded'],
  })
  async list(
    @CurrentProject() project: ResolvedProject,
    @Query() query: AuditQuery,
    @Req() request: ServiceRequest,
  ): Promise<Page<AuditEntryDto>> {
    return await this.reading.page(project.id, query, request);
  }

  @ShowsExport()
  @Endpoint.get('export', {
    access: 'service_key',
    summary: "The project's audit trail as a file",
    description: EXPORT,
    status: 200,
    errors: ['validation_failed', 'rate_limited', 'overloaded'],
  })
  export(
    @CurrentProject() project: ResolvedProject,
    @Query() query: AuditExportQuery,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): StreamableFile {
    return this.reading.export(project.id, query, request, reply);
  }

  @Endpoint.get('verification', {
    access: 'service_key',
    summary: "Verify the hash chain of the project's audit trail",
    response: AuditVerificationDto,
    errors: ['overloaded'],
  })
  async verify(@CurrentProject() project: ResolvedProject): Promise<AuditVerificationDto> {
    return toAuditVerificationDto(await this.verifications.verifyChain(tenantChain(project.id)));
  }
}
