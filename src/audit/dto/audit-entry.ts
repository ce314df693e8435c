import { ApiProperty } from '@nestjs/swagger';
import { JSON_REFERENCE } from '../../http/index.js';
import type { AuditEntry } from '../audit-entry.repository.js';
import type { NameOf } from '../reading/audit-names.js';

export class AuditActorDto {
  @ApiProperty({ enum: ['user', 'api_key', 'project_key', 'run', 'operator', 'system', 'anonymous'] })
  type!: string;

  @ApiProperty({ type: String, nullable: true })
  id!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'ada@example.com',
    description:
      'The address of a user, or the name of an API key, as it is now; null if it is gone or has none.',
  })
  name!: string | null;
}

export class AuditTargetDto {
  @ApiProperty({ type: String, example: 'user' })
  type!: string;

  @ApiProperty({ type: String })
  id!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'As it is now, of an invitation its address; null if the target is gone or has none.',
  })
  name!: string | null;
}

/** The value before and after a change. */
export class AuditChangeDto {
  @ApiProperty({ allOf: [JSON_REFERENCE], description: 'Any JSON value.', example: 'member' })
  before!: unknown;

  @ApiProperty({ allOf: [JSON_REFERENCE], description: 'Any JSON value.', example: 'admin' })
  after!: unknown;
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

  @ApiProperty({
    type: AuditChangeDto,
    nullable: true,
    description:
      'What the entry says of values before and after: one value, or an object with a member for each that changed. Null for entries that are no change of a value.',
  })
  change!: AuditChangeDto | null;

  @ApiProperty({ type: String, description: 'Hash of the entry before it in the chain: SHA-256, in hex.' })
  prev_hash!: string;

  @ApiProperty({ type: String, description: 'SHA-256 of the previous hash and this entry, in hex.' })
  hash!: string;
}

/**
 * An entry without the names of its actor and target, and with nothing about an operator except that it was one. People
 * do not learn who manages their account, or from where.
 */
export function toAuditEntryDto(entry: AuditEntry): AuditEntryDto {
  const dto = toNamedAuditEntryDto(entry, () => null);
  if (dto.actor.type !== 'operator') return dto;
  const details = Object.fromEntries(Object.entries(dto.details).filter(([name]) => name !== 'operator'));
  return { ...dto, actor: { type: 'operator', id: null, name: null }, ip: null, user_agent: null, details };
}

export function toNamedAuditEntryDto(entry: AuditEntry, nameOf: NameOf): AuditEntryDto {
  const { actorType, actorId, targetType, targetId } = entry;
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    actor: { type: actorType, id: actorId, name: nameOf(actorType, actorId) },
    action: entry.action,
    target:
      targetType === null || targetId === null
        ? null
        : { type: targetType, id: targetId, name: nameOf(targetType, targetId) },
    org_id: entry.tenantId,
    ip: entry.ip,
    user_agent: entry.userAgent,
    details: entry.details,
    change: changeIn(entry.details),
    prev_hash: entry.prevHash.toString('hex'),
    hash: entry.hash.toString('hex'),
  };
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

/** Entries of changes have `from` and `to`, in their details or in those of each member that changed. */
function changeIn(details: Readonly<Record<string, unknown>>): AuditChangeDto | null {
  if (isChange(details)) return { before: details.from, after: details.to };
  const changed = Object.entries(details).flatMap(([name, value]) =>
    isChange(value) ? [[name, value] as const] : [],
  );
  if (changed.length === 0) return null;
  return {
    before: Object.fromEntries(changed.map(([name, { from }]) => [name, from])),
    after: Object.fromEntries(changed.map(([name, { to }]) => [name, to])),
  };
}
