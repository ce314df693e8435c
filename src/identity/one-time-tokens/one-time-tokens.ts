import { Inject, Injectable } from '@nestjs/common';
import { accountEvent, ANONYMOUS, AuditTrail } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { randomToken, sha256 } from '../../platform/crypto/index.js';
import { Database, firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { CredentialFailures } from '../../limits/index.js';
import { challengeOf } from '../redirects/code-challenge.js';
import { redirectOf } from '../redirects/requested-redirect.js';
import type { RedirectColumns, RequestedRedirect } from '../redirects/requested-redirect.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';

export const TOKEN_PURPOSES = ['verify', 'recover', 'magic_link', 'invite'] as const;
export type TokenPurpose = (typeof TOKEN_PURPOSES)[number];

/** How long the tokens of each purpose are valid. That of an invitation lives as long as the invitation. */
function lifetimesOf({ timing: { lives } }: Config): Readonly<Record<TokenPurpose, number>> {
  return {
    verify: lives.verificationLinkSecs,
    recover: lives.recoveryLinkSecs,
    magic_link: lives.magicLinkSecs,
    invite: lives.invitationDays * 86_400,
  };
}

/** A token that was used or looked at: whose it is, and where the page of its link ends. */
export interface FoundToken {
  readonly user: UserEntity;
  readonly redirect: RequestedRedirect | null;
}

/**
 * Who uses a token: a page, which opens no session itself, or a request that may. Where the request that mailed had a
 * `code_challenge`, the latter needs its verifier.
 */
export type TokenUse = 'page' | { readonly codeVerifier: string | null };

/** A link that may be dead, and the mail that it was in. */
export interface MailedLink {
  readonly userId: string;
  readonly email: string;
  readonly purpose: TokenPurpose;
  readonly redirect: RequestedRedirect | null;
}

const COLUMNS = `
  token.redirect_to AS "redirectTo", token.code_challenge AS "codeChallenge",
  owner.id, owner.realm_id AS "realmId", owner.email, owner.email_verified AS "emailVerified",
  owner.password_hash AS "passwordHash", owner.metadata, owner.created_at AS "createdAt",
  owner.disabled_at AS "disabledAt", owner.second_factor AS "secondFactor", owner.locale`;

/** A valid token is unused, unexpired, and for this purpose, for the address and account as they are now. */
const IS_GOOD = `
  token.token_hash = $1 AND token.purpose = $2 AND owner.realm_id = $3 AND token.used_at IS NULL AND token.expires_at > now()
  AND token.user_id = owner.id AND token.email = owner.email AND owner.disabled_at IS NULL`;

function foundOf(row: (UserEntity & RedirectColumns) | null): FoundToken | null {
  if (row === null) return null;
  const { redirectTo, codeChallenge, ...user } = row;
  return { user, redirect: redirectOf({ redirectTo, codeChallenge }) };
}

function valuesOf(redirect: RequestedRedirect | null): [string | null, string | null] {
  return [redirect?.url ?? null, redirect?.codeChallenge ?? null];
}

/** The random single-use tokens that mail links carry. Only their SHA-256 is kept. */
@Injectable()
export class OneTimeTokens {
  private readonly lifetimes: Readonly<Record<TokenPurpose, number>>;

  constructor(@Inject(CONFIG) config: Config) {
    this.lifetimes = lifetimesOf(config);
  }

  /**
   * Creates a token for the user's address, which voids older ones of the same purpose. The caller holds the user's
   * row, so that one of two simultaneous tokens remains.
   */
  async issue(
    tx: Tx,
    user: UserEntity,
    purpose: TokenPurpose,
    redirect: RequestedRedirect | null,
    token: string = randomToken(),
  ): Promise<string> {
    await rows(tx, 'DELETE FROM one_time_tokens WHERE user_id = $1 AND purpose = $2', [user.id, purpose]);
    await rows(
      tx,
      `INSERT INTO one_time_tokens (token_hash, purpose, user_id, email, expires_at, redirect_to, code_challenge)
       VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5), $6, $7)`,
      [sha256(token), purpose, user.id, user.email, this.lifetimes[purpose], ...valuesOf(redirect)],
    );
    return token;
  }

  /**
   * Gives a token that `issue` made, and whose mail goes out again, its lifetime from now on. False when it was used, or
   * when a newer one of the same purpose took its place. The caller holds the user's row.
   */
  async renew(
    tx: Tx,
    user: UserEntity,
    purpose: TokenPurpose,
    redirect: RequestedRedirect | null,
    token: string,
  ): Promise<boolean> {
    // Inserted again if it was deleted: tokens are deleted a day after they expire, but mails may wait longer.
    const renewed = await rows(
      tx,
      `INSERT INTO one_time_tokens AS token
         (token_hash, purpose, user_id, email, expires_at, redirect_to, code_challenge)
       SELECT $1::bytea, $2::text, $3::uuid, $4::text, now() + make_interval(secs => $5), $6, $7
       WHERE NOT EXISTS (
         SELECT FROM one_time_tokens newer WHERE newer.user_id = $3 AND newer.purpose = $2 AND newer.token_hash <> $1
       )
       ON CONFLICT (token_hash) DO UPDATE SET expires_at = excluded.expires_at
         WHERE token.used_at IS NULL AND token.user_id = $3 AND token.email = $4
       RETURNING 1`,
      [sha256(token), purpose, user.id, user.email, this.lifetimes[purpose], ...valuesOf(redirect)],
    );
    return renewed.length === 1;
  }

  /**
   * Uses a token and returns its user, whose row is locked from here on; null when the token is not valid, or not for
   * `use`. Only one of several simultaneous calls succeeds. The user is locked before the token, as `issue` has it.
   */
  async consume(
    tx: Tx,
    realmId: RealmId,
    token: string,
    purpose: TokenPurpose,
    use: TokenUse,
  ): Promise<FoundToken | null> {
    const verifier = use === 'page' ? null : use.codeVerifier;
    const found = await firstRow<UserEntity & RedirectColumns>(
      tx,
      `WITH owner AS (
         SELECT users.* FROM one_time_tokens token JOIN users ON users.id = token.user_id
         WHERE token.token_hash = $1 AND users.realm_id = $3
         FOR NO KEY UPDATE OF users
       )
       UPDATE one_time_tokens token SET used_at = now() FROM owner
       WHERE ${IS_GOOD} AND ($4 OR token.code_challenge IS NULL OR token.code_challenge = $5)
       RETURNING ${COLUMNS}`,
      [sha256(token), purpose, realmId, use === 'page', verifier === null ? null : challengeOf(verifier)],
    );
    return foundOf(found);
  }

  /**
   * Voids the user's tokens of these purposes. They stay as used ones, so that a mail which goes out again does not
   * renew them.
   */
  async voidAll(tx: Tx, userId: string, purposes: readonly TokenPurpose[]): Promise<void> {
    await rows(
      tx,
      'UPDATE one_time_tokens SET used_at = now() WHERE user_id = $1 AND purpose = ANY($2) AND used_at IS NULL',
      [userId, purposes],
    );
  }

  /** The owner of a valid token. Changes nothing. */
  async peek(
    reader: Reader,
    realmId: RealmId,
    token: string,
    purpose: TokenPurpose,
  ): Promise<FoundToken | null> {
    const found = await firstRow<UserEntity & RedirectColumns>(
      reader,
      `SELECT ${COLUMNS} FROM one_time_tokens token, users owner WHERE ${IS_GOOD}`,
      [sha256(token), purpose, realmId],
    );
    return foundOf(found);
  }

  /** The mail of a token of the realm, valid or not; null for an unknown token, or one of a replaced mail. */
  async findMail(reader: Reader, realmId: RealmId, token: string): Promise<MailedLink | null> {
    const found = await firstRow<Omit<MailedLink, 'redirect'> & RedirectColumns>(
      reader,
      `SELECT token.user_id AS "userId", token.email, token.purpose,
              token.redirect_to AS "redirectTo", token.code_challenge AS "codeChallenge"
       FROM one_time_tokens token JOIN users owner ON owner.id = token.user_id
       WHERE token.token_hash = $1 AND owner.realm_id = $2`,
      [sha256(token), realmId],
    );
    if (found === null) return null;
    const { redirectTo, codeChallenge, ...mail } = found;
    return { ...mail, redirect: redirectOf({ redirectTo, codeChallenge }) };
  }

  /** The id of the user in the realm whose token this is or was, valid or not; null for an unknown token. */
  async findOwnerId(reader: Reader, realmId: RealmId, token: string): Promise<string | null> {
    const found = await firstRow<{ user_id: string }>(
      reader,
      `SELECT user_id FROM one_time_tokens token JOIN users ON users.id = token.user_id
       WHERE token_hash = $1 AND realm_id = $2`,
      [sha256(token), realmId],
    );
    return found?.user_id ?? null;
  }
}

/** Refuses invalid tokens and records the attempts. */
@Injectable()
export class OneTimeTokenRefusals {
  constructor(
    private readonly database: Database,
    private readonly failures: CredentialFailures,
    private readonly tokens: OneTimeTokens,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Records the attempt, with the account if the token once belonged to one, and returns the refusal.
   * @throws rate_limited after too many from the address
   */
  async refusal(realmId: RealmId, action: string, token: string, origin: Origin): Promise<ServiceError> {
    await this.failures.count(origin);
    const userId = await this.tokens.findOwnerId(this.database.reader, realmId, token);
    await this.audit.appendAlone(
      accountEvent(userId, {
        actor: ANONYMOUS,
        action,
        origin,
        details: { reason: userId === null ? 'unknown_token' : 'token_void' },
      }),
    );
    return new ServiceError('invalid_token');
  }
}
