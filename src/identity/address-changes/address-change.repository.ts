import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { firstRow } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import { redirectOf } from '../redirects/requested-redirect.js';
import type { RedirectColumns, RequestedRedirect } from '../redirects/requested-redirect.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';

/** A change that waits for the mail to the new address. */
export interface AddressChange {
  readonly userId: string;
  readonly formerEmail: string;
  readonly newEmail: string;
  readonly redirect: RequestedRedirect | null;
  /** Of the account. */
  readonly locale: string | null;
}

type ChangeRow = Omit<AddressChange, 'redirect'> & RedirectColumns;

const CHANGE = `change.user_id AS "userId", change.former_email AS "formerEmail", change.new_email AS "newEmail",
  change.redirect_to AS "redirectTo", change.code_challenge AS "codeChallenge", owner.locale`;

function changeOf(row: ChangeRow | null): AddressChange | null {
  if (row === null) return null;
  const { redirectTo, codeChallenge, ...change } = row;
  return { ...change, redirect: redirectOf({ redirectTo, codeChallenge }) };
}

/** A change counts while the account has the address and the password with which it was asked for. */
const IS_GOOD = `
  change.token_hash = $1 AND change.expires_at > now() AND change.user_id = owner.id AND owner.realm_id = $2
  AND owner.disabled_at IS NULL AND change.former_email = owner.email
  AND change.password_digest = sha256(convert_to(coalesce(owner.password_hash, ''), 'UTF8'))`;

/** Changes of address, one of an account at most. */
@Injectable()
export class AddressChangeRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** In place of an earlier one. The caller holds the user's row. @returns until when it counts */
  async insertAddressChange(
    tx: Tx,
    { id, email, passwordHash }: UserEntity,
    { newEmail, redirect }: Pick<AddressChange, 'newEmail' | 'redirect'>,
    sessionId: string,
    tokenHash: Buffer,
  ): Promise<Date> {
    const inserted = await firstRow<{ expiresAt: Date }>(
      tx,
      `INSERT INTO address_changes (user_id, token_hash, former_email, new_email, password_digest, expires_at, redirect_to, code_challenge, session_id)
       VALUES ($1, $2, $3, $4, sha256(convert_to($5, 'UTF8')), now() + make_interval(secs => $8), $6, $7, $9)
       ON CONFLICT (user_id) DO UPDATE SET
         token_hash = excluded.token_hash, former_email = excluded.former_email, new_email = excluded.new_email,
         password_digest = excluded.password_digest, expires_at = excluded.expires_at,
         redirect_to = excluded.redirect_to, code_challenge = excluded.code_challenge, session_id = excluded.session_id
       RETURNING expires_at AS "expiresAt"`,
      [
        id,
        tokenHash,
        email,
        newEmail,
        passwordHash ?? '',
        redirect?.url ?? null,
        redirect?.codeChallenge ?? null,
        this.config.timing.lives.addressChangeSecs,
        sessionId,
      ],
    );
    if (inserted === null) throw new Error('the change of address was not inserted');
    return inserted.expiresAt;
  }

  /** The change of a valid token. Changes nothing. */
  async peek(reader: Tx | Reader, realmId: RealmId, tokenHash: Buffer): Promise<AddressChange | null> {
    return changeOf(
      await firstRow<ChangeRow>(
        reader,
        `SELECT ${CHANGE} FROM address_changes change, users owner WHERE ${IS_GOOD}`,
        [tokenHash, realmId],
      ),
    );
  }

  /** Uses a token up; null when it is not valid. The user is locked first, as `insert` has it. */
  async take(tx: Tx, realmId: RealmId, tokenHash: Buffer): Promise<AddressChange | null> {
    const taken = await firstRow<ChangeRow>(
      tx,
      `WITH owner AS (
         SELECT users.* FROM address_changes pending JOIN users ON users.id = pending.user_id
         WHERE pending.token_hash = $1 AND users.realm_id = $2
         FOR NO KEY UPDATE OF users
       )
       DELETE FROM address_changes change USING owner WHERE ${IS_GOOD} RETURNING ${CHANGE}`,
      [tokenHash, realmId],
    );
    return changeOf(taken);
  }
}
