import { Injectable } from '@nestjs/common';
import { isUuid } from '../../platform/crypto/index.js';
import { Database, rows } from '../../platform/database/index.js';
import type { AuditEntry } from '../audit-entry.repository.js';

/** The names of those who acted and of what they acted on, by type and id. */
export type NameOf = (type: string | null, id: string | null) => string | null;

/** Types of those whose names are addresses. */
const ACCOUNTS = new Set(['user', 'operator']);

interface Named {
  readonly type: string;
  readonly id: string;
  readonly name: string;
}

/** Looks up today's names for entries. An account that was deleted since has none. */
@Injectable()
export class AuditNames {
  constructor(private readonly database: Database) {}

  /** @param entries a page of them */
  async of(entries: readonly AuditEntry[]): Promise<NameOf> {
    const ids = { accounts: new Set<string>(), keys: new Set<string>(), tenants: new Set<string>() };
    const note = (type: string | null, id: string | null): void => {
      if (type === null || id === null) return;
      if (ACCOUNTS.has(type) && isUuid(id)) ids.accounts.add(id);
      else if (type === 'api_key') ids.keys.add(id);
      else if (isUuid(id)) ids.tenants.add(id);
    };
    for (const entry of entries) {
      note(entry.actorType, entry.actorId);
      note(entry.targetType, entry.targetId);
    }
    const found = await this.find([...ids.accounts], [...ids.keys], [...ids.tenants]);
    const names = new Map(found.map(({ type, id, name }) => [`${type} ${id}`, name]));
    return (type, id) => {
      if (type === null || id === null) return null;
      const kind = ACCOUNTS.has(type) ? 'user' : type;
      return names.get(`${kind === 'user' || kind === 'api_key' ? kind : 'tenant'} ${id}`) ?? null;
    };
  }

  private async find(
    accounts: readonly string[],
    keys: readonly string[],
    tenants: readonly string[],
  ): Promise<Named[]> {
    if (accounts.length + keys.length + tenants.length === 0) return [];
    return await rows<Named>(
      this.database.reader,
      `SELECT 'user' AS type, id::text AS id, email AS name FROM users WHERE id = ANY ($1::uuid[])
       UNION ALL SELECT 'api_key', id, name FROM api_keys WHERE id = ANY ($2::text[])
       UNION ALL SELECT 'tenant', id::text, name FROM organizations WHERE id = ANY ($3::uuid[])
       UNION ALL SELECT 'tenant', id::text, name FROM projects WHERE id = ANY ($3::uuid[])`,
      [accounts, keys, tenants],
    );
  }
}
