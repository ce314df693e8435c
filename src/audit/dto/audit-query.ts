import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Length, Matches } from 'class-validator';
import { Instant, QueryCount, QueryCursor } from '../../http/index.js';
import type { ExportFormat } from '../reading/audit-export.js';
import type { AuditFilters } from '../reading/audit-search.js';

const ACTION = /^[a-z0-9_.]{0,127}(?:[a-z0-9_.]|\*)$/;

/** In the OpenAPI document, of the lists. */
export const FEW_MATCHES =
  'A request looks at a limited number of entries. If few of them match your filters, the page has fewer entries than `limit`, or none, and the `Link` header still names the next page.';

/** In the OpenAPI document, of the exports. */
export const EXPORT =
  'All entries that match the filters, newest first, as newline-delimited JSON or CSV (RFC 4180). In CSV, a value that a spreadsheet would run as a formula begins with an apostrophe. If the caller loses access, the response breaks off.';

/** The filters, with or without pages. */
export class AuditFilterQuery {
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: 254,
    description:
      'Id of a user or API key, the address of an account, or a type: `user`, `api_key`, `project_key`, `run`, `operator`, `system`, `anonymous`.',
  })
  @IsOptional()
  @IsString({ message: 'must be text' })
  @Length(1, 254, { message: 'must have 1 to 254 characters' })
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

  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: 254,
    description: 'Id or type of a target, or both with a colon between.',
    example: 'role:analyst',
  })
  @IsOptional()
  @IsString({ message: 'must be text' })
  @Length(1, 254, { message: 'must have 1 to 254 characters' })
  target?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'At this instant or later.' })
  @IsOptional()
  @Instant()
  since?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Before this instant.' })
  @IsOptional()
  @Instant()
  until?: string;
}

/** A `PageQuery` with filters. */
export class AuditQuery extends AuditFilterQuery {
  @QueryCount({ maximum: 100, absent: 20 })
  limit = 20;

  @QueryCursor()
  cursor?: string;
}

export class AuditExportQuery extends AuditFilterQuery {
  @ApiPropertyOptional({ enum: ['ndjson', 'csv'], default: 'ndjson' })
  @IsOptional()
  @IsIn(['ndjson', 'csv'], { message: 'must be ndjson or csv' })
  format: ExportFormat = 'ndjson';
}

export function toAuditFilters({ actor, action, target, since, until }: AuditFilterQuery): AuditFilters {
  return {
    actor: actor ?? null,
    action: action ?? null,
    target: target ?? null,
    since: since === undefined ? null : new Date(since),
    until: until === undefined ? null : new Date(until),
  };
}
