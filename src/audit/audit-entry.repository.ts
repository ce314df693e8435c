import { Injectable } from '@nestjs/common';
import { rows } from '../platform/database/index.js';
import type { Reader, Tx } from '../platform/database/index.js';
import type { TenantId } from '../http/index.js';
import type { Actor } from './audit-entry.js';

/** An entry as it stands in the trail. */
export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  readonly actorType: Actor['type'];
  readonly actorId: string | null;
  readonly action: string;
  readonly targetType: string | null;
  readonly targetId: string | null;
  readonly orgId: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly prevHash: Buffer;
  readonly hash: Buffer;
}

/** How many entries, older than the one with the id `before`; null begins with the newest. */
export interface AuditPage {
  readonly limit: number;
  readonly before: string | null;
}

export interface AuditFilters {
  /** An actor's id, or a type of actor. */
  readonly actor: string | null;
  /** An action, or with `*` at its end every action that begins so. */
  readonly action: string | null;
  /** At this instant or later. */
  readonly since: Date | null;
  /** Before this instant. */
  readonly until: Date | null;
}

const COLUMNS = `
  id, at, actor_type AS "actorType", actor_id AS "actorId", action, target_type AS "targetType",
  target_id AS "targetId", org_id AS "orgId", ip, user_agent AS "userAgent", details,
  prev_hash AS "prevHash", hash`;

/** A LIKE pattern for exactly the text, but for `*` at its end. */
function patternOf(action: string): string {
  const escaped = action.replace(/[\\%_]/g, '\\$&');
  return escaped.endsWith('*') ? `${escaped.slice(0, -1)}%` : escaped;
}

/** Reads the trail, newest first. Ids are in the order of time. */
@Injectable()
export class AuditEntryRepository {
  async listOfOrg(
    handle: Tx | Reader,
    orgId: TenantId,
    filters: AuditFilters,
    page: AuditPage,
  ): Promise<AuditEntry[]> {
    const { actor, action, since, until } = filters;
    return await rows<AuditEntry>(
      handle,
      `SELECT ${COLUMNS} FROM audit_entries
       WHERE org_id = $1 AND ($3::uuid IS NULL OR id < $3)
         AND ($4::text IS NULL OR actor_id = $4 OR actor_type = $4)
         AND ($5::text IS NULL OR action LIKE $5)
         AND ($6::timestamptz IS NULL OR at >= $6)
         AND ($7::timestamptz IS NULL OR at < $7)
       ORDER BY id DESC LIMIT $2`,
      [orgId, page.limit, page.before, actor, action === null ? null : patternOf(action), since, until],
    );
  }

  /** The entries of the user's own account; what happened in an organization is in the organization's trail. */
  async listOfUser(handle: Tx | Reader, userId: string, page: AuditPage): Promise<AuditEntry[]> {
    return await rows<AuditEntry>(
      handle,
      `SELECT ${COLUMNS} FROM audit_entries
       WHERE user_id = $1 AND org_id IS NULL AND ($3::uuid IS NULL OR id < $3)
       ORDER BY id DESC LIMIT $2`,
      [userId, page.limit, page.before],
    );
  }
}
