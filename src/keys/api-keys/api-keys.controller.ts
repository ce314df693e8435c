import { Body, Param, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { CurrentRequester, CurrentTenant, Endpoint } from '../../http/index.js';
import type { Page, Requester, Tenant } from '../../http/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { OrganizationRoutes } from '../../rbac/index.js';
import { ApiKeys } from './api-keys.js';
import {
  ApiKeyDto,
  ApiKeyQuery,
  CreateApiKeyBody,
  CreatedApiKeyDto,
  readCreateApiKeyBody,
  toApiKeyDto,
  toCreatedApiKeyDto,
} from './dto/api-key.js';

@OrganizationRoutes('api-keys', 'API keys')
export class ApiKeysController {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly clock: Clock,
  ) {}

  @Endpoint.get('', {
    access: 'auth:keys:read',
    summary: 'API keys of the organization, newest first',
    description: 'Revoked and expired keys stay in the list.',
    response: [ApiKeyDto],
    errors: ['validation_failed'],
  })
  async list(@CurrentTenant() { id: orgId }: Tenant, @Query() query: ApiKeyQuery): Promise<Page<ApiKeyDto>> {
    return (await this.apiKeys.list(orgId, query.created_by ?? null, query)).map(toApiKeyDto);
  }

  @Endpoint.post('', {
    access: 'auth:keys:create',
    summary: 'Create an API key',
    description:
      'The key belongs to the organization and outlives its creator. Only this response shows it; send it as `Authorization: Bearer svc_…` or `X-API-Key`. A key that another key creates expires no later than that one.',
    status: 201,
    response: CreatedApiKeyDto,
    errors: [
      'validation_failed',
      'session_revoked',
      'permission_not_held',
      'key_outlives_maker',
      'limit_reached',
    ],
  })
  @ApiBody({ type: CreateApiKeyBody })
  async create(@CurrentRequester() by: Requester, @Body() body: unknown): Promise<CreatedApiKeyDto> {
    const wanted = await readCreateApiKeyBody(body, this.clock.now());
    return toCreatedApiKeyDto(await this.apiKeys.create(by, wanted));
  }

  @Endpoint.delete(':id', {
    access: 'auth:keys:delete',
    summary: 'Revoke an API key',
    description:
      'The caller must hold every permission of the key. It is refused everywhere within a second. Revoking it again changes nothing.',
    status: 204,
    errors: ['session_revoked', 'permission_not_held', 'key_not_found'],
  })
  async revoke(@CurrentRequester() by: Requester, @Param('id') id: string): Promise<void> {
    await this.apiKeys.revoke(by, id);
  }
}
