import { ApiProperty } from '@nestjs/swagger';
import type { LiveSession } from '../sessions/user-session.repository.js';

/** A session, as its own user sees it. */
export class UserSessionDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  last_refreshed_at!: string;

  @ApiProperty({ type: String, nullable: true })
  user_agent!: string | null;

  @ApiProperty({ type: String, nullable: true, example: '192.0.2.7' })
  ip!: string | null;

  @ApiProperty({ description: 'Whether it is the session that asks.' })
  current!: boolean;
}

export function toUserSessionDto(session: LiveSession, currentId: string): UserSessionDto {
  return {
    id: session.id,
    created_at: session.createdAt.toISOString(),
    last_refreshed_at: session.lastRefreshedAt.toISOString(),
    user_agent: session.userAgent,
    ip: session.ip,
    current: session.id === currentId,
  };
}
