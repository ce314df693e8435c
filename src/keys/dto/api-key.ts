import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString, Length, Matches, ValidateIf } from 'class-validator';
import { Instant, ServiceError, validated } from '../../platform/http/index.js';
import type { FieldProblem } from '../../platform/http/index.js';
import { isPermission } from '../../rbac/index.js';
import { apiKeyPrefix } from '../api-key-format.js';
import type { ApiKey } from '../api-key.repository.js';
import type { CreatedApiKey, WantedApiKey } from '../api-keys.js';

const MAX_PERMISSIONS = 100;
/** Longer than any sensible name of a capability, a resource and an action together. */
const MAX_PERMISSION_LENGTH = 255;

export class CreateApiKeyBody {
  @ApiProperty({ type: String, minLength: 1, maxLength: 200, example: 'Nightly export' })
  @IsString({ message: 'must be text' })
  @Length(1, 200, { message: 'must have 1 to 200 characters' })
  @Matches(/\S/, { message: 'must not be blank' })
  name!: string;

  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: MAX_PERMISSIONS,
    example: ['data:orders:read'],
    description: "Each must be covered by the caller's own.",
  })
  @IsArray({ message: 'must be a list of permissions' })
  @ArrayMinSize(1, { message: 'must have at least one permission' })
  @ArrayMaxSize(MAX_PERMISSIONS, { message: `must have at most ${MAX_PERMISSIONS} permissions` })
  permissions!: string[];

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'In the future; without it the key lasts until it is revoked.',
  })
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @Instant()
  expires_at?: string | null;
}

export class ApiKeyDto {
  @ApiProperty({ example: '4fGk29Qz' })
  id!: string;

  @ApiProperty({ example: 'Nightly export' })
  name!: string;

  @ApiProperty({ example: 'svc_4fGk29Qz', description: 'How the key begins; tells which one it is.' })
  prefix!: string;

  @ApiProperty({ type: [String], example: ['data:orders:read'] })
  permissions!: readonly string[];

  @ApiProperty({ description: 'Id of the user, or of the API key, that made it.' })
  created_by!: string;

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

function permissionProblems(body: unknown): FieldProblem[] {
  const { permissions } = (body ?? {}) as { permissions?: unknown };
  if (!Array.isArray(permissions) || permissions.length > MAX_PERMISSIONS) return [];
  return (permissions as unknown[]).flatMap((permission, index) =>
    typeof permission === 'string' && permission.length <= MAX_PERMISSION_LENGTH && isPermission(permission)
      ? []
      : [{ path: `permissions[${index}]`, message: 'must be * or <capability>:<resource>:<action>' }],
  );
}

function expiryProblems(body: unknown, now: Date): FieldProblem[] {
  const { expires_at: expiresAt } = (body ?? {}) as { expires_at?: unknown };
  if (typeof expiresAt !== 'string') return [];
  return Date.parse(expiresAt) <= now.getTime()
    ? [{ path: 'expires_at', message: 'must be in the future' }]
    : [];
}

/**
 * The body of a request for a new key.
 * @throws validation_failed with every problem at once, those of single permissions among them
 */
export async function readCreateApiKeyBody(body: unknown, now: Date): Promise<WantedApiKey> {
  const details: FieldProblem[] = [...permissionProblems(body), ...expiryProblems(body, now)];
  const read = await validated(CreateApiKeyBody, body).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.details === undefined) throw error;
    details.unshift(...error.details);
    return null;
  });
  if (read === null || details.length > 0) throw new ServiceError('validation_failed', { details });
  const { name, permissions, expires_at: expiresAt } = read;
  return {
    name,
    permissions: [...new Set(permissions)],
    expiresAt: expiresAt == null ? null : new Date(expiresAt),
  };
}

export function toApiKeyDto(key: ApiKey): ApiKeyDto {
  return {
    id: key.id,
    name: key.name,
    prefix: apiKeyPrefix(key.id),
    permissions: key.permissions,
    created_by: key.createdBy,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

export function toCreatedApiKeyDto(created: CreatedApiKey): CreatedApiKeyDto {
  return { ...toApiKeyDto(created), key: created.key };
}
