import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Reader, Tx } from '../../platform/database/index.js';
import type { Origin } from '../../http/index.js';
import { isListenedTo } from '../../tenancy/index.js';
import { IdentityProfile } from '../retention/identity-profile.js';
import { USED_TOKEN_STATEMENTS } from '../retention/used-token-retention.js';
import type { RefreshedToken } from '../retention/used-token-retention.js';
import type { AssuranceLevel, Authentication } from '../token-signers/token-signers.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';
import { voidAddressChange } from './user-session.repository.js';

export interface NewSession {
  id: string;
  userId: string;
  /** The hash that was verified: if it is another by now, the proof is stale and no session opens. */
  provenHash: string | null;
  origin: Origin;
  tokenHash: Buffer;
  refreshTtlSecs: number;
  amr: readonly string[];
  aal: AssuranceLevel;
}

export interface BegunSession {
  readonly authTime: Date;
  /** Whether it is the user's first of the day (UTC) in a project whose jobs listen to that. */
  readonly isFirstOfDay: boolean;
}

/** A session that was refreshed, and its user. */
export type RefreshedSession = UserEntity & Authentication & { readonly sessionId: string };

/** What is known of a refresh token that could not be exchanged. */
export interface UsedRefreshToken {
  sessionId: string;
  userId: string;
  rotatedMsAgo: number | null;
  sealedSuccessor: Buffer | null;
  isExpired: boolean;
  /** The session was ended, or its user is disabled. */
  sessionEnded: boolean;
}

@Injectable()
export class SessionRepository {
  constructor(private readonly profile: IdentityProfile) {}

  /**
   * Opens a session with its first refresh token. FOR SHARE on the user orders this with disabling,
   * deletion and password change: whichever commits first, no session outlives them. It also orders it with the
   * confirmation of a factor: no session of level 1 begins in an account with one, nor in a realm that demands one.
   * @returns null where none was opened
   */
  async open(tx: Tx, session: NewSession): Promise<BegunSession | null> {
    return await firstRow<BegunSession>(
      tx,
      `WITH owner AS (
         SELECT id, realm_id FROM users
         WHERE id = $1 AND disabled_at IS NULL AND password_hash IS NOT DISTINCT FROM $2
           AND ($9 = 2 OR NOT (second_factor OR EXISTS (
             SELECT FROM sign_in_policies policy
             WHERE policy.realm_id = users.realm_id AND policy.require_second_factor
           )))
         FOR SHARE
       ), session AS (
         INSERT INTO sessions (id, user_id, user_agent, ip, auth_time, amr, aal)
         SELECT $3, owner.id, $4, $5, now(), $8, $9::smallint FROM owner RETURNING id
       ), first_of_day AS (
         INSERT INTO sign_in_days AS latest (user_id, day)
         SELECT id, (now() AT TIME ZONE 'UTC')::date FROM owner
         WHERE ${isListenedTo('user.signed_in', 'realm_id')}
         ON CONFLICT (user_id) DO UPDATE SET day = EXCLUDED.day WHERE latest.day < EXCLUDED.day
         RETURNING day
       )
       INSERT INTO refresh_tokens (token_hash, session_id, expires_at)
       SELECT $6, session.id, now() + make_interval(secs => $7) FROM session
       RETURNING now() AS "authTime", EXISTS (SELECT FROM first_of_day) AS "isFirstOfDay"`,
      [
        session.userId,
        session.provenHash,
        session.id,
        session.origin.userAgent,
        session.origin.ip,
        session.tokenHash,
        session.refreshTtlSecs,
        session.amr,
        session.aal,
      ],
    );
  }

  /**
   * Exchanges a refresh token of the realm for its successor. Of any number of simultaneous calls, one succeeds.
   * @returns null when the token is not good, its session has ended or the user is disabled; see `findUsed`
   */
  async refresh(handle: AutoCommit, token: RefreshedToken): Promise<RefreshedSession | null> {
    const { sql, parameters } =
      USED_TOKEN_STATEMENTS[this.profile.usedTokensOf(token.realmId)].refresh(token);
    return await firstRow<RefreshedSession>(handle, sql, parameters);
  }

  /** Marks the session refreshed and answers its user, or null when it is revoked or the user disabled. */
  async touch(tx: Tx, sessionId: string): Promise<(UserEntity & Authentication) | null> {
    return await firstRow<UserEntity & Authentication>(
      tx,
      `UPDATE sessions SET last_refreshed_at = now()
       FROM users
       WHERE sessions.id = $1 AND sessions.revoked_at IS NULL
         AND users.id = sessions.user_id AND users.disabled_at IS NULL
       RETURNING users.id, users.realm_id AS "realmId", users.email, users.email_verified AS "emailVerified", users.locale,
                 users.password_hash AS "passwordHash", users.metadata, users.created_at AS "createdAt",
                 users.disabled_at AS "disabledAt", users.second_factor AS "secondFactor",
                 sessions.auth_time AS "authTime", sessions.amr, sessions.aal`,
      [sessionId],
    );
  }

  /** What became of a token that `refresh` refused; null when it is unknown. */
  async findUsed(handle: Tx | Reader, tokenHash: Buffer, realmId: RealmId): Promise<UsedRefreshToken | null> {
    return await firstRow<UsedRefreshToken>(
      handle,
      `SELECT token.session_id AS "sessionId", session.user_id AS "userId",
              (extract(epoch FROM clock_timestamp() - token.rotated_at) * 1000)::float8 AS "rotatedMsAgo",
              token.sealed_successor AS "sealedSuccessor", token.expires_at <= now() AS "isExpired",
              session.revoked_at IS NOT NULL OR owner.disabled_at IS NOT NULL AS "sessionEnded"
       FROM refresh_tokens token
         JOIN sessions session ON session.id = token.session_id
         JOIN users owner ON owner.id = session.user_id
       WHERE token.token_hash = $1 AND owner.realm_id = $2`,
      [tokenHash, realmId],
    );
  }

  /** Notes a proof that the session's user gave now, and a level that it does not fall below. */
  async prove(tx: Tx, sessionId: string, amr: readonly string[], aal: AssuranceLevel): Promise<void> {
    await rows(
      tx,
      `UPDATE sessions SET auth_time = now(), aal = greatest(aal, $3),
         amr = ARRAY(SELECT DISTINCT method FROM unnest(amr || $2::text[]) method ORDER BY method)
       WHERE id = $1 AND revoked_at IS NULL`,
      [sessionId, amr, aal],
    );
  }

  /** Ends a session for good, and a change of address that it asked for. */
  async revoke(tx: Tx, userId: string, sessionId: string, reason: string): Promise<void> {
    await rows(tx, 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
    await voidAddressChange(tx, userId, sessionId);
    await rows(
      tx,
      `UPDATE sessions SET revoked_at = now(), revoked_reason = $2 WHERE id = $1 AND revoked_at IS NULL`,
      [sessionId, reason],
    );
  }
}
