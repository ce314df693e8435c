import { ApiProperty } from '@nestjs/swagger';
import type { AccessReason, MemberAccess } from './member-access.js';

export class GrantDto {
  @ApiProperty({ type: String, example: 'analyst' })
  role!: string;

  @ApiProperty({ type: String, example: 'data:*:*', description: 'As the role has it, perhaps with `*`.' })
  permission!: string;
}

export class MemberAccessDto {
  @ApiProperty({ type: String, format: 'uuid' })
  user_id!: string;

  @ApiProperty({ type: String, format: 'email', example: 'ben@example.com' })
  email!: string;

  @ApiProperty({ type: String, example: 'analyst' })
  role!: string;

  @ApiProperty({ type: String, example: 'data:orders:delete' })
  permission!: string;

  @ApiProperty({ type: Boolean })
  allowed!: boolean;

  @ApiProperty({
    enum: ['granted', 'not_granted', 'account_disabled'],
    description: 'A disabled account may do nothing, whatever its role grants.',
  })
  reason!: AccessReason;

  @ApiProperty({
    type: [GrantDto],
    nullable: true,
    description:
      "The permissions of the member's role that cover it; none where the role does not. Null if the caller lacks `auth:roles:read`.",
  })
  granted_by!: readonly GrantDto[] | null;

  @ApiProperty({
    type: [String],
    nullable: true,
    example: ['admin', 'owner'],
    description: 'The roles of the organization that grant it. Null if the caller lacks `auth:roles:read`.',
  })
  granting_roles!: readonly string[] | null;
}

export function toMemberAccessDto(access: MemberAccess, seesRoles: boolean): MemberAccessDto {
  const { userId, email, role, permission, allowed, reason, grantedBy, roles } = access;
  return {
    user_id: userId,
    email,
    role,
    permission,
    allowed,
    reason,
    granted_by: seesRoles ? grantedBy.map((grant) => ({ ...grant })) : null,
    granting_roles: seesRoles ? roles : null,
  };
}
