import { ApiProperty } from '@nestjs/swagger';
import type { Operator, OperatorAccess } from './operator.repository.js';

export class OperatorDto {
  @ApiProperty({ type: String, format: 'uuid' })
  user_id!: string;

  @ApiProperty({ type: String, format: 'email' })
  email!: string;

  @ApiProperty({
    enum: ['full', 'read_only'],
    description: 'Whether the operator may change anything, or read.',
  })
  access!: OperatorAccess;

  @ApiProperty({ type: String, format: 'date-time' })
  added_at!: string;
}

export function toOperatorDto({ userId, email, access, addedAt }: Operator): OperatorDto {
  return { user_id: userId, email, access, added_at: addedAt.toISOString() };
}
