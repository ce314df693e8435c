import { ApiProperty } from '@nestjs/swagger';
import { QueryFlag, TextField } from '../../../http/index.js';
import type { Member } from '../member.repository.js';

export class UpdateMemberBody {
  @TextField(1, 63, { example: 'admin', description: 'A role of the organization.' })
  role!: string;
}

export class RemoveMemberQuery {
  @QueryFlag(
    'Also revokes the API keys in force that the member made, and those that these made. Requires `auth:keys:delete`, and every permission of the keys.',
  )
  revoke_keys?: boolean;
}

export class OperatorRemoveMemberQuery {
  @QueryFlag('Also revokes the API keys in force that the member made there, and those that these made.')
  revoke_keys?: boolean;
}

export class MemberDto {
  @ApiProperty({ format: 'uuid' })
  user_id!: string;

  @ApiProperty({ format: 'email', example: 'ada@example.com' })
  email!: string;

  @ApiProperty({ example: 'admin' })
  role!: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  joined_at!: string;

  @ApiProperty({ description: 'A disabled account may do nothing, whatever its role grants.' })
  disabled!: boolean;
}

export function toMemberDto({ userId, email, role, joinedAt, disabled }: Member): MemberDto {
  return { user_id: userId, email, role, joined_at: joinedAt.toISOString(), disabled };
}
