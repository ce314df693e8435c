import { ApiProperty } from '@nestjs/swagger';
import { inspected, InstantField, PageQuery, TextField } from '../../../http/index.js';
import { PermissionsField } from '../../../rbac/index.js';
import { apiKeyPrefix } from '../api-key-format.js';
import type { ApiKey } from '../api-key.repository.js';
import type { CreatedApiKey, WantedApiKey } from '../api-keys.js';

export class CreateApiKeyBody {
  @TextField(1, 200, { pattern: /\S/, mismatch: 'must not be blank', example: 'Nightly export' })
  name!: string;

  @PermissionsField({ minItems: 1 })
  permissions!: string[];

  @InstantField({
    optional: true,
    nullable: true,
    description: 'In the future; without it the key lasts until it is revoked.',
  })
  expires_at?: string | null;
}

export class ApiKeyQuery extends PageQuery {
  @TextField(1, 64, { optional: true, description: 'Id of the user, or of the API key, that created them.' })
  created_by?: string;
}

export class ApiKeyDto {
  @ApiProperty({ example: '4fGk29Qz' })
  id!: string;

  @ApiProperty({ example: 'Nightly export' })
  name!: string;

  @ApiProperty({
    example: 'svc_4fGk29Qz',
    description: 'The first characters of the key, which identify it.',
  })
  prefix!: string;

  @ApiProperty({ type: [String], example: ['data:orders:read'] })
  permissions!: readonly string[];

  @ApiProperty({ description: 'Id of the user, or of the API key, that created it.' })
  created_by!: string;

  @ApiProperty({ enum: ['user', 'api_key'] })
  creator_type!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'ada@example.com',
    description: 'The address of that user, or the name of that key; null when it no longer exists.',
  })
  creator_name!: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expires_at!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'To the minute.' })
  last_used_at!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revoked_at!: string | null;
}

export class CreatedApiKeyDto extends ApiKeyDto {
  @ApiProperty({ description: 'The key itself. Shown here and never again.' })
  key!: string;
}

/**
 * The body of a request for a new key.
 * @throws validation_failed with all problems of the body, including those of single permissions
 */
export async function readCreateApiKeyBody(body: unknown, now: Date): Promise<WantedApiKey> {
  const { dto, problems } = await inspected(CreateApiKeyBody, body);
  const expiresAt = dto?.expires_at == null ? null : new Date(dto.expires_at);
  if (expiresAt !== null && expiresAt <= now) problems.add('expires_at', 'must be in the future');
  problems.requireNone();
  const { name, permissions } = dto as CreateApiKeyBody;
  return { name, permissions: [...new Set(permissions)], expiresAt };
}

export function toApiKeyDto(key: ApiKey): ApiKeyDto {
  return {
    id: key.id,
    name: key.name,
    prefix: apiKeyPrefix(key.id),
    permissions: key.permissions,
    created_by: key.createdBy,
    creator_type: key.creatorType,
    creator_name: key.creatorName,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

export function toCreatedApiKeyDto(created: CreatedApiKey): CreatedApiKeyDto {
  return { ...toApiKeyDto(created), key: created.key };
}
