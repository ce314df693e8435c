import { Injectable } from '@nestjs/common';
import { rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';

/** Kinds of a realm that are told apart, the most frequent ones: a project cannot use up those of another. */
const MAX_KINDS = 50;

/** How many accounts of a realm have a hash of one kind that an import brought. */
export interface ImportedKind {
  readonly realmId: string;
  readonly kind: string;
  readonly count: number;
}

/** Which hashes of other systems accounts still have. */
@Injectable()
export class ImportedHashRepository {
  /** In a fixed order, so that an address stays with the same one. */
  async countByKind(handle: Tx | Reader): Promise<ImportedKind[]> {
    return await rows(
      handle,
      `SELECT realm_id AS "realmId", kind, count FROM (
         SELECT realm_id, imported_hash AS kind, count(*)::int AS count,
                row_number() OVER (PARTITION BY realm_id ORDER BY count(*) DESC, imported_hash) AS place
         FROM users WHERE imported_hash IS NOT NULL GROUP BY realm_id, imported_hash
       ) counted
       WHERE place <= $1 ORDER BY realm_id, kind`,
      [MAX_KINDS],
    );
  }

  async countAccounts(handle: Tx | Reader, realmIds: readonly string[]): Promise<Map<string, number>> {
    if (realmIds.length === 0) return new Map();
    const counted = await rows<{ realmId: string; count: number }>(
      handle,
      'SELECT realm_id AS "realmId", count(*)::int AS count FROM users WHERE realm_id = ANY ($1) GROUP BY realm_id',
      [realmIds],
    );
    return new Map(counted.map(({ realmId, count }) => [realmId, count]));
  }
}
