import { Injectable } from '@nestjs/common';
import { isUuid } from '../../platform/crypto/index.js';
import { Database, rows } from '../../platform/database/index.js';
import type { AuditEntry } from '../audit-entry.repository.js';
import type { AuditScope } from './audit-search.js';

/** The names of actors and targets, by type and id. */
export type NameOf = (type: string | null, id: string | null) => string | null;

/** The types that have names, and the kind of name. Ids of other types may be any text that a caller chose. */
const KINDS: Readonly<Record<string, 'account' | 'api_key' | 'tenant' | 'invitation'>> = {
  user: 'account',
  operator: 'account',
  api_key: 'api_key',
  org: 'tenant',
  project: 'tenant',
  invitation: 'invitation',
};

interface Named {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

/** Looks up current names for entries. A deleted account has none. */
@Injectable()
export class AuditNames {
  constructor(private readonly database: Database) {}

  /**
   * @param entries a page of them
   * @param scope whose trail is read: its readers see no names of other tenants or of their keys
   */
  async of(entries: readonly AuditEntry[], scope: AuditScope): Promise<NameOf> {
    const ids = {
      account: new Set<string>(),
      api_key: new Set<string>(),
      tenant: new Set<string>(),
      invitation: new Set<string>(),
    };
    const note = (type: string | null, id: string | null): void => {
      const kind = type === null ? undefined : KINDS[type];
      if (kind !== undefined && id !== null && (kind === 'api_key' || isUuid(id))) ids[kind].add(id);
    };
    for (const entry of entries) {
      note(entry.actorType, entry.actorId);
      note(entry.targetType, entry.targetId);
    }
    const wanted = [[...ids.account], [...ids.api_key], [...ids.tenant], [...ids.invitation]] as const;
    const found = wanted.some(({ length }) => length > 0) ? await this.find(wanted, scope) : [];
    const names = new Map(found.map(({ kind, id, name }) => [`${kind} ${id}`, name]));
    return (type, id) => {
      const kind = type === null ? undefined : KINDS[type];
      return kind === undefined || id === null ? null : (names.get(`${kind} ${id}`) ?? null);
    };
  }

  private async find(ids: readonly (readonly string[])[], scope: AuditScope): Promise<Named[]> {
    return await rows<Named>(
      this.database.reader,
      `SELECT 'account' AS kind, id::text AS id, email AS name FROM users WHERE id = ANY ($1::uuid[])
       UNION ALL SELECT 'api_key', id, name FROM api_keys
         WHERE id = ANY ($2::text[]) AND ($5::uuid IS NULL OR org_id = $5)
       UNION ALL SELECT 'tenant', id::text, name FROM organizations
         WHERE id = ANY ($3::uuid[]) AND ($5::uuid IS NULL OR id = $5)
       UNION ALL SELECT 'tenant', id::text, name FROM projects
         WHERE id = ANY ($3::uuid[]) AND ($5::uuid IS NULL OR id = $5)
       UNION ALL SELECT 'invitation', id::text, email FROM invitations
         WHERE id = ANY ($4::uuid[]) AND ($5::uuid IS NULL OR org_id = $5)`,
      [...ids, scope === 'deployment' ? null : scope],
    );
  }
}
