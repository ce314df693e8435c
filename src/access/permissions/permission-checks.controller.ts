import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentCaller, CurrentTenant, Endpoint, ServiceError } from '../../http/index.js';
import type { Caller, Tenant } from '../../http/index.js';
import { concretePermissionProblems } from '../../rbac/index.js';
import { PermissionCheckBody, PermissionCheckDto } from './dto/permission-check.js';
import { permits } from './permits.js';

/** Tells other capabilities what a caller may do. */
@ApiTags('Permissions')
@Controller('auth/v1')
export class PermissionChecksController {
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
  ): PermissionCheckDto {
    const details = concretePermissionProblems(permissions, 'permissions');
    if (details.length > 0) throw new ServiceError('validation_failed', { details });
    return {
      results: Object.fromEntries(permissions.map((wanted) => [wanted, permits(caller, tenant, wanted)])),
    };
  }
}
