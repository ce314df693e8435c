import { Injectable } from '@nestjs/common';
import { rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { RealmId } from '../users/user.repository.js';
import type { WantedAccount } from './import-line.js';

/** An account that is about to be inserted. */
export interface AccountToInsert {
  readonly id: string;
  readonly realmId: RealmId;
  readonly wanted: WantedAccount;
  /** Null where the hash is like our own. */
  readonly importedHash: string | null;
  readonly createdAt: Date;
}

@Injectable()
export class ImportRepository {
  /**
   * Those of the addresses that have an account, as `<realm> <address>`, and whether it is only that of a project's
   * invitation: nobody has accepted that or proven the address, and the account goes when it expires.
   */
  async existing(
    handle: Tx | Reader,
    accounts: readonly Pick<AccountToInsert, 'realmId' | 'wanted'>[],
  ): Promise<Map<string, { readonly isInvited: boolean }>> {
    const found = await rows<{ key: string; isInvited: boolean }>(
      handle,
      `SELECT realm_id || ' ' || email AS key,
              password_hash IS NULL AND NOT email_verified
                AND EXISTS (SELECT FROM project_invitations invitation WHERE invitation.user_id = users.id)
                AS "isInvited"
       FROM users JOIN unnest($1::uuid[], $2::text[]) AS wanted (realm_id, email) USING (realm_id, email)`,
      [accounts.map(({ realmId }) => realmId), accounts.map(({ wanted }) => wanted.email)],
    );
    return new Map(found.map(({ key, isInvited }) => [key, { isInvited }]));
  }

  /**
   * Inserts the accounts whose address has none. In the order of their addresses, so that simultaneous imports wait for
   * each other and not in a ring.
   * @returns the ids of those that were inserted
   */
  async insertAccounts(tx: Tx, accounts: readonly AccountToInsert[]): Promise<Set<string>> {
    const wanted = accounts.map((account) => account.wanted);
    const inserted = await rows<{ id: string }>(
      tx,
      `INSERT INTO users
         (id, realm_id, email, email_verified, password_hash, imported_hash, metadata, created_at)
       SELECT id, realm_id, email, email_verified, password_hash, imported_hash, metadata, created_at
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::text[],
                   $8::timestamptz[])
         AS wanted (id, realm_id, email, email_verified, password_hash, imported_hash, metadata, created_at)
       ORDER BY realm_id, email
       ON CONFLICT (realm_id, email) DO NOTHING
       RETURNING id`,
      [
        accounts.map(({ id }) => id),
        accounts.map(({ realmId }) => realmId),
        wanted.map(({ email }) => email),
        wanted.map(({ emailVerified }) => emailVerified),
        wanted.map(({ password }) => password?.hash ?? null),
        accounts.map(({ importedHash }) => importedHash),
        wanted.map(({ metadata }) => metadata),
        accounts.map(({ createdAt }) => createdAt),
      ],
    );
    return new Set(inserted.map(({ id }) => id));
  }
}
