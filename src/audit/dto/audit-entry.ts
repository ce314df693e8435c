import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Length, Matches } from 'class-validator';
import { Instant, PageQuery } from '../../http/index.js';
import type { AuditEntry, AuditFilters } from '../audit-entry.repository.js';

const ACTION = /^[a-z0-9_.]{0,127}(?:[a-z0-9_.]|\*)$/;

export class AuditQuery extends PageQuery {
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: 128,
    description: 'Id of a user or API key, or a type: `user`, `api_key`, `operator`, `system`, `anonymous`.',
  })
  @IsOptional()
  @IsString({ message: 'must be text' })
  @Length(1, 128, { message: 'must have 1 to 128 characters' })
  actor?: string;

  @ApiPropertyOptional({
    type: String,
    pattern: ACTION.source,
    description: 'An action; with `*` at its end, every action that begins so.',
    example: 'member.*',
  })
  @IsOptional()
  @IsString({ message: 'must be text' })
  @Matches(ACTION, {
    message: 'must be an action, such as member.removed or member.*',
  })
  action?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'At this instant or later.' })
  @IsOptional()
  @Instant()
  since?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Before this instant.' })
  @IsOptional()
  @Instant()
  until?: string;
}

export class AuditActorDto {
  @ApiProperty({ enum: ['user', 'api_key', 'run', 'operator', 'system', 'anonymous'] })
  type!: string;

  @ApiProperty({ type: String, nullable: true })
  id!: string | null;
}

export class AuditTargetDto {
  @ApiProperty({ type: String, example: 'user' })
  type!: string;

  @ApiProperty({ type: String })
  id!: string;
}

export class AuditEntryDto {
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  at!: string;

  @ApiProperty({ type: AuditActorDto })
  actor!: AuditActorDto;

  @ApiProperty({ type: String, example: 'member.role_changed' })
  action!: string;

  @ApiProperty({ type: AuditTargetDto, nullable: true })
  target!: AuditTargetDto | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  org_id!: string | null;

  @ApiProperty({ type: String, nullable: true })
  ip!: string | null;

  @ApiProperty({ type: String, nullable: true })
  user_agent!: string | null;

  @ApiProperty({ type: Object })
  details!: Readonly<Record<string, unknown>>;

  @ApiProperty({ type: String, description: 'Hash of the entry before it in the chain: SHA-256, in hex.' })
  prev_hash!: string;

  @ApiProperty({ type: String, description: 'SHA-256 of the previous hash and this entry, in hex.' })
  hash!: string;
}

export function toAuditEntryDto(entry: AuditEntry): AuditEntryDto {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    actor: { type: entry.actorType, id: entry.actorId },
    action: entry.action,
    target:
      entry.targetType === null || entry.targetId === null
        ? null
        : { type: entry.targetType, id: entry.targetId },
    org_id: entry.orgId,
    ip: entry.ip,
    user_agent: entry.userAgent,
    details: entry.details,
    prev_hash: entry.prevHash.toString('hex'),
    hash: entry.hash.toString('hex'),
  };
}

export function toAuditFilters({ actor, action, since, until }: AuditQuery): AuditFilters {
  return {
    actor: actor ?? null,
    action: action ?? null,
    since: since === undefined ? null : new Date(since),
    until: until === undefined ? null : new Date(until),
  };
}
