import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AuditEntryDto } from '../../../../audit/index.js';
import { CurrentProject, Endpoint, PageQuery } from '../../../../http/index.js';
import type { Page, ResolvedProject } from '../../../../http/index.js';
import { ManagedUserAudit } from '../../../managed-accounts/index.js';
import { realmOf } from '../../../own-account/own-account-access.js';

/** The audit entries of an account of a project, for the holder of its service key. */
@ApiTags('Users')
@Controller('auth/v1/users/:id/audit')
export class ProjectUserAuditController {
  constructor(private readonly audit: ManagedUserAudit) {}

  @Endpoint.get('', {
    access: 'service_key',
    summary: 'The audit entries of an account, newest first',
    response: [AuditEntryDto],
    errors: ['validation_failed', 'user_not_found'],
  })
  async list(
    @CurrentProject() project: ResolvedProject,
    @Param('id') userId: string,
    @Query() query: PageQuery,
  ): Promise<Page<AuditEntryDto>> {
    return await this.audit.list({ realm: realmOf(project), userId }, query);
  }
}
