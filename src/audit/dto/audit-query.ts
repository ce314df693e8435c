import {
  EnumField,
  InstantField,
  PatternField,
  QueryCount,
  QueryCursor,
  TextField,
} from '../../http/index.js';
import type { ExportFormat } from '../reading/audit-export.js';
import type { AuditFilters } from '../reading/audit-search.js';

const ACTION = /^[a-z0-9_.]{0,127}(?:[a-z0-9_.]|\*)$/;

/** Used in the OpenAPI document of the lists. */
export const FEW_MATCHES =
  'A request looks at a limited number of entries. If few of them match your filters, the page has fewer entries than `limit`, or none, and the `Link` header still names the next page.';

/** Used in the OpenAPI document of the exports. */
export const EXPORT =
  'All entries that match the filters, newest first, as newline-delimited JSON or CSV (RFC 4180). In CSV, a value that a spreadsheet would run as a formula begins with an apostrophe. If the caller loses access, the response breaks off.';

/** The filters, without pagination. */
export class AuditFilterQuery {
  @TextField(1, 254, {
    optional: true,
    description:
      'Id of a user or API key, the address of an account, or a type: `user`, `api_key`, `project_key`, `run`, `operator`, `system`, `anonymous`.',
  })
  actor?: string;

  @PatternField(ACTION, 'must be an action, such as member.removed or member.*', {
    optional: true,
    description: 'An action; with `*` at its end, every action that begins so.',
    example: 'member.*',
  })
  action?: string;

  @TextField(1, 254, {
    optional: true,
    description:
      'Id or type of a target, or both with a colon between. `job:report` also finds manifests and pauses of several jobs that changed the job.',
    example: 'role:analyst',
  })
  target?: string;

  @InstantField({ optional: true, description: 'At this instant or later.' })
  since?: string;

  @InstantField({ optional: true, description: 'Before this instant.' })
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
  @EnumField(['ndjson', 'csv'], { optional: true, default: 'ndjson' })
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
