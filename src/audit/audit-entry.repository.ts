import { Injectable } from '@nestjs/common';
import { rows } from '../platform/database/index.js';
import type { Reader, Tx } from '../platform/database/index.js';
import type { Actor } from './audit-entry.js';

/** An entry as the trail stores it. */
export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  readonly actorType: Actor['type'];
  readonly actorId: string | null;
  readonly action: string;
  readonly targetType: string | null;
  readonly targetId: string | null;
  readonly tenantId: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly prevHash: Buffer;
  readonly hash: Buffer;
}

/** How many entries to read, older than the one with the id `before`; null begins with the newest. */
export interface AuditPage {
  readonly limit: number;
  readonly before: string | null;
}

/** The columns of an entry. */
export const AUDIT_COLUMNS = `
  id, at, actor_type AS "actorType", actor_id AS "actorId", action, target_type AS "targetType",
  target_id AS "targetId", org_id AS "tenantId", ip, user_agent AS "userAgent", details,
  prev_hash AS "prevHash", hash`;

/** Reads the trail, newest first. Ids are ordered by time. */
@Injectable()
export class AuditEntryRepository {
  /** The entries of the user's own account. What happened in an organization is in the organization's trail. */
  async listOfUser(handle: Tx | Reader, userId: string, page: AuditPage): Promise<AuditEntry[]> {
    return await rows<AuditEntry>(
      handle,
      `SELECT ${AUDIT_COLUMNS} FROM audit_entries
       WHERE user_id = $1 AND org_id IS NULL AND ($3::uuid IS NULL OR id < $3)
       ORDER BY id DESC LIMIT $2`,
      [userId, page.limit, page.before],
    );
  }
}
