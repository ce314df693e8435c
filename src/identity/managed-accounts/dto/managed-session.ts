import { ApiProperty } from '@nestjs/swagger';
import type { LiveSession } from '../../sessions/user-session.repository.js';

/** A session of a user, for the operator or a service key. */
export class ManagedSessionDto {
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When the user signed in.' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  last_refreshed_at!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Of the sign-in.' })
  user_agent!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '192.0.2.7',
    description: 'Client address of the sign-in.',
  })
  ip!: string | null;
}

export function toManagedSessionDto(session: LiveSession): ManagedSessionDto {
  return {
    id: session.id,
    created_at: session.createdAt.toISOString(),
    last_refreshed_at: session.lastRefreshedAt.toISOString(),
    user_agent: session.userAgent,
    ip: session.ip,
  };
}
