import { Body, Controller, Query, Res } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentCaller, CurrentTenant, Endpoint, ServiceError } from '../../platform/http/index.js';
import type { Caller, Tenant } from '../../platform/http/index.js';
import { concretePermissionProblems, readConcretePermission } from './concrete-permission.js';
import { PermissionCheckBody, PermissionCheckDto } from './dto/permission-check.js';
import { identityHeaders } from '../credentials/identity-headers.js';
import { permits } from './permits.js';

/** Answers other capabilities that ask what a caller may do. */
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

  @Endpoint.get('gate', {
    access: 'member',
    summary: "For a reverse proxy's auth sub-request: may the caller do this?",
    description:
      'Answers in the status alone, and says who is calling in `X-Service-Org-Id`, `X-Service-User-Id` and ' +
      '`X-Service-Role`, or for an API key `X-Service-Key-Id`. A missing or malformed permission is 400, which ' +
      'a proxy turns into an error of its own: a gate that asks for nothing must not be mistaken for a closed one.',
    status: 204,
    errors: ['validation_failed', 'permission_denied'],
  })
  @ApiQuery({ name: 'permission', type: String, example: 'data:orders:read' })
  gate(
    @CurrentCaller() caller: Caller,
    @CurrentTenant() tenant: Tenant,
    @Query('permission') permission: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): void {
    const wanted = readConcretePermission(permission, 'permission');
    if (!permits(caller, tenant, wanted)) {
      throw new ServiceError('permission_denied', { hint: `This needs the permission ${wanted}.` });
    }
    void reply.headers(identityHeaders(caller, tenant));
  }
}
