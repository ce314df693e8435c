import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AuditEntryDto } from '../../../audit/index.js';
import { Endpoint, PageQuery } from '../../../http/index.js';
import type { Page } from '../../../http/index.js';
import { DEPLOYMENT_REALM } from '../../users/user.repository.js';
import { ManagedUserAudit } from './managed-user-audit.js';

/** The audit entries of an account, for the operator. */
@ApiTags('Operator')
@Controller('admin/v1/users/:id/audit')
export class OperatorUserAuditController {
  constructor(private readonly audit: ManagedUserAudit) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'The audit entries of an account, newest first',
    description: 'What happened in an organization is in the trail of that organization.',
    response: [AuditEntryDto],
    errors: ['validation_failed', 'user_not_found'],
  })
  async list(@Param('id') userId: string, @Query() query: PageQuery): Promise<Page<AuditEntryDto>> {
    return await this.audit.list({ realm: DEPLOYMENT_REALM, userId }, query);
  }
}
