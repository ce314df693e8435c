import { Injectable } from '@nestjs/common';
import { rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';

export interface NewMember {
  readonly orgId: string;
  readonly userId: string;
  readonly role: string;
}

/** Many organizations at once, for imports. */
@Injectable()
export class ImportOrganizationRepository {
  /** Locks organizations by their slugs, in the order in which `lockAllOfUser` does. @returns ids by slug */
  async lockBySlugs(tx: Tx, slugs: readonly string[]): Promise<Map<string, string>> {
    const locked = await rows<{ id: string; slug: string }>(
      tx,
      'SELECT id, slug FROM organizations WHERE slug = ANY ($1) ORDER BY id FOR UPDATE',
      [slugs],
    );
    return new Map(locked.map(({ id, slug }) => [slug, id]));
  }

  /** The roles of these names that there are, as `<organization> <role>`. */
  async roles(
    handle: Tx | Reader,
    orgIds: readonly string[],
    names: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const found = await rows<{ key: string }>(
      handle,
      `SELECT org_id || ' ' || name AS key FROM roles WHERE org_id = ANY ($1) AND name = ANY ($2)`,
      [orgIds, names],
    );
    return new Set(found.map(({ key }) => key));
  }

  async countMembers(handle: Tx | Reader, orgIds: readonly string[]): Promise<Map<string, number>> {
    const counted = await rows<{ orgId: string; count: number }>(
      handle,
      `SELECT org_id AS "orgId", count(*)::int AS count FROM members WHERE org_id = ANY ($1) GROUP BY org_id`,
      [orgIds],
    );
    return new Map(counted.map(({ orgId, count }) => [orgId, count]));
  }

  async insertMembers(tx: Tx, members: readonly NewMember[]): Promise<void> {
    await rows(
      tx,
      `INSERT INTO members (org_id, user_id, role) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[])`,
      [
        members.map(({ orgId }) => orgId),
        members.map(({ userId }) => userId),
        members.map(({ role }) => role),
      ],
    );
  }
}
