import { ApiProperty } from '@nestjs/swagger';
import type { Holders } from './role-holders.js';

export class RoleHolderMemberDto {
  @ApiProperty({ type: String, format: 'uuid' })
  user_id!: string;

  @ApiProperty({ type: String, format: 'email', example: 'ben@example.com' })
  email!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  joined_at!: string;
}

export class RoleHolderInvitationDto {
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  @ApiProperty({ type: String, format: 'email', example: 'ana@example.com' })
  email!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  expires_at!: string;
}

export class RoleHolderKeyDto {
  @ApiProperty({ type: String, example: '4fGk29Qz' })
  id!: string;

  @ApiProperty({ type: String, example: 'Nightly export' })
  name!: string;

  @ApiProperty({ type: [String], example: ['jobs:*:*'] })
  permissions!: readonly string[];
}

export class RoleHoldersDto {
  @ApiProperty({ type: String, example: 'analyst' })
  role!: string;

  @ApiProperty({
    type: [String],
    nullable: true,
    example: ['data:orders:read'],
    description: 'Null if the caller lacks `auth:roles:read`.',
  })
  permissions!: readonly string[] | null;

  @ApiProperty({ type: Number, example: 2 })
  member_count!: number;

  @ApiProperty({ type: [RoleHolderMemberDto], description: 'The newest members with the role, at most 100.' })
  members!: readonly RoleHolderMemberDto[];

  @ApiProperty({ type: Number, example: 0 })
  invitation_count!: number;

  @ApiProperty({
    type: [RoleHolderInvitationDto],
    description: 'The newest pending invitations that grant the role, at most 100.',
  })
  invitations!: readonly RoleHolderInvitationDto[];

  @ApiProperty({ type: Number, nullable: true, example: 0 })
  api_key_count!: number | null;

  @ApiProperty({
    type: [RoleHolderKeyDto],
    nullable: true,
    description:
      'API keys have permissions and no role. These may do all that the role allows, at most 100. Null if the caller lacks `auth:keys:read`.',
  })
  api_keys!: readonly RoleHolderKeyDto[] | null;
}

export function toRoleHoldersDto(
  { role, members, invitations, apiKeys }: Holders,
  seesRoles: boolean,
): RoleHoldersDto {
  return {
    role: role.name,
    permissions: seesRoles ? role.permissions : null,
    member_count: members.count,
    members: members.first.map(({ userId, email, joinedAt }) => ({
      user_id: userId,
      email,
      joined_at: joinedAt.toISOString(),
    })),
    invitation_count: invitations.count,
    invitations: invitations.first.map(({ id, email, expiresAt }) => ({
      id,
      email,
      expires_at: expiresAt.toISOString(),
    })),
    api_key_count: apiKeys?.count ?? null,
    api_keys: apiKeys?.first.map(({ id, name, permissions }) => ({ id, name, permissions })) ?? null,
  };
}
