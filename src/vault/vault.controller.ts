import { applyDecorators, Body, Controller, Param, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import {
  CurrentCaller,
  CurrentTenant,
  decodeCursor,
  Endpoint,
  PageQuery,
  RequestOrigin,
  ServiceError,
  TakesBody,
} from '../http/index.js';
import type { Page, Caller, Origin, Tenant } from '../http/index.js';
import { SecretDto, SetSecretBody, toSecretDto } from './dto/secret.js';
import { isSecretPath, MAX_SECRET_PATH, SECRET_PATH } from './dto/secret.js';
import { Vault } from './vault.js';

/** The rest of the path, slashes and all; the router calls it `*`. */
const REST = '*';

function SecretPathParam(): MethodDecorator {
  return applyDecorators(
    ApiParam({
      name: 'path',
      schema: { type: 'string', pattern: SECRET_PATH.source, maxLength: MAX_SECRET_PATH },
      description: 'Name of the secret, which may have slashes: `github/webhook`.',
    }),
  );
}

/** @throws validation_failed */
function requireSecretPath(path: string): string {
  if (isSecretPath(path)) return path;
  throw new ServiceError('validation_failed', {
    details: [
      {
        path: 'path',
        message: `must be segments of letters, digits, ".", "_" and "-", none beginning with ".", joined by "/"; at most ${MAX_SECRET_PATH} characters`,
      },
    ],
  });
}

@ApiTags('Vault')
@Controller('vault/v1/secrets')
export class VaultController {
  constructor(private readonly vault: Vault) {}

  @Endpoint.get('', {
    access: 'jobs:secrets:read',
    summary: 'Secrets, newest first, without their values',
    response: [SecretDto],
    errors: ['validation_failed'],
  })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: PageQuery): Promise<Page<SecretDto>> {
    const before = decodeCursor(query.cursor);
    return (await this.vault.list(tenant.id, query.limit, before)).map(toSecretDto);
  }

  @Endpoint.get('*', {
    access: 'jobs:secrets:read',
    summary: 'A secret, without its value',
    response: SecretDto,
    errors: ['validation_failed', 'secret_not_found'],
  })
  @SecretPathParam()
  async show(@CurrentTenant() tenant: Tenant, @Param(REST) path: string): Promise<SecretDto> {
    return toSecretDto(await this.vault.find(tenant.id, requireSecretPath(path)));
  }

  @Endpoint.put('*', {
    access: 'jobs:secrets:write',
    summary: 'Make a secret, or replace its value',
    description:
      'Values are write-only: no answer ever has one. Whatever names the secret uses the new value at once.',
    status: 204,
    errors: ['validation_failed', 'limit_reached', 'payload_too_large'],
  })
  @TakesBody('document')
  @SecretPathParam()
  async set(
    @CurrentTenant() { id: tenantId }: Tenant,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
    @Param(REST) path: string,
    @Body() { value }: SetSecretBody,
  ): Promise<void> {
    await this.vault.set({ tenantId, caller, origin }, requireSecretPath(path), value);
  }

  @Endpoint.delete('*', {
    access: 'jobs:secrets:write',
    summary: 'Delete a secret that nothing names',
    status: 204,
    errors: ['validation_failed', 'secret_not_found', 'secret_in_use'],
  })
  @SecretPathParam()
  async delete(
    @CurrentTenant() { id: tenantId }: Tenant,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
    @Param(REST) path: string,
  ): Promise<void> {
    await this.vault.delete({ tenantId, caller, origin }, requireSecretPath(path));
  }
}
