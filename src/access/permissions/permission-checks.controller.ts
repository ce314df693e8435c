import { Body, Controller, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentCaller, CurrentTenant, Endpoint, ServiceError } from '../../http/index.js';
import type { Caller, Tenant } from '../../http/index.js';
import { concretePermissionProblems } from '../../rbac/index.js';
import { PermissionCheckBody, PermissionCheckDto } from './dto/permission-check.js';
import { permits } from './permits.js';

/** Tells other capabilities what a caller may do. */
@ApiTags('Permissions')
@Controller('auth/v1')
export class PermissionChecksController {
  @ApiResponse({
    status: 200,
    type: PermissionCheckDto,
    headers: {
      'X-Service-Org-Id': {
        required: true,
        description: 'The organization that the caller acts in.',
        schema: { type: 'string' },
      },
    },
  })
  @Endpoint.post('permissions/check', {
    access: 'member',
    summary: 'Which of these permissions the caller has in the active organization',
    response: PermissionCheckDto,
    errors: ['validation_failed'],
    runTokens: 'open',
  })
  check(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenant: Tenant,
    @Body() { permissions }: PermissionCheckBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): PermissionCheckDto {
    const details = concretePermissionProblems(permissions, 'permissions');
    if (details.length > 0) throw new ServiceError('validation_failed', { details });
    void reply.header('X-Service-Org-Id', tenant.id);
    return {
      results: Object.fromEntries(permissions.map((wanted) => [wanted, permits(caller, tenant, wanted)])),
    };
  }
}
