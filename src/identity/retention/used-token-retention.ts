import { prepared } from '../../platform/database/index.js';
import type { RealmId } from '../users/user.repository.js';

/** Whether used refresh tokens and ended sessions are kept, as marked, or deleted. */
export type UsedTokenRetention = 'kept' | 'deleted';

/** Which sessions of a user end: one, all but one, or all. */
export type SessionScope = { readonly only: string } | { readonly except: string } | 'all';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A refresh token that was presented, and its successor. */
export interface RefreshedToken {
  readonly realmId: RealmId;
  readonly tokenHash: Buffer;
  readonly successorHash: Buffer;
  readonly refreshTtlSecs: number;
  /** The successor, for a repetition within the grace period; null where none is allowed. */
  readonly sealedSuccessor: Buffer | null;
}

interface UsedTokenStatements {
  /**
   * Exchanges a refresh token for its successor and answers the user, `sessionId` and the session's `Authentication`; no row, and no change, when the
   * token is not good.
   */
  refresh(token: RefreshedToken): Statement;
  /** Ends sessions and answers the `id` of each that had not ended yet. */
  end(userId: string, scope: SessionScope, reason: string): Statement;
}

/**
 * In SQL: exchanges the token, in one statement. The session is locked first, as revoking and deleting lock it, and a
 * session that ended while this waited for the lock is not refreshed. Whatever disables a user also ends the sessions,
 * so the user's row needs no lock; a change of the address that commits during the wait shows in the next token.
 *
 * @param use a statement that uses `token` up if its conditions hold, and returns its `session_id`
 */
function refreshStatement(use: string): string {
  return `
    WITH locked AS (
      SELECT session.id, owner.id AS user_id, owner.realm_id, owner.email, owner.email_verified, owner.password_hash,
             owner.metadata, owner.locale, owner.created_at, owner.disabled_at, owner.second_factor,
             session.auth_time, session.amr, session.aal
      FROM refresh_tokens token
        JOIN sessions session ON session.id = token.session_id
        JOIN users owner ON owner.id = session.user_id
      WHERE token.token_hash = $1 AND owner.realm_id = $2 AND owner.disabled_at IS NULL AND session.revoked_at IS NULL
      FOR NO KEY UPDATE OF session
    ), used AS (${use}
      token.token_hash = $1 AND token.session_id = locked.id AND token.rotated_at IS NULL AND token.expires_at > now()
      RETURNING token.session_id
    ), touched AS (
      UPDATE sessions SET last_refreshed_at = now() FROM used WHERE sessions.id = used.session_id
    ), successor AS (
      INSERT INTO refresh_tokens (token_hash, session_id, expires_at)
      SELECT $3, used.session_id, now() + make_interval(secs => $4) FROM used
    )
    SELECT used.session_id AS "sessionId", locked.user_id AS id, locked.realm_id AS "realmId", locked.email,
           locked.email_verified AS "emailVerified", locked.password_hash AS "passwordHash", locked.metadata, locked.locale,
           locked.created_at AS "createdAt", locked.disabled_at AS "disabledAt", locked.second_factor AS "secondFactor",
           locked.auth_time AS "authTime", locked.amr, locked.aal
    FROM used JOIN locked ON locked.id = used.session_id`;
}

const REFRESH_KEPT = prepared(
  'refresh_keeping_the_token',
  refreshStatement(
    'UPDATE refresh_tokens token SET rotated_at = now(), sealed_successor = $5 FROM locked WHERE',
  ),
);
const REFRESH_DELETED = prepared(
  'refresh_deleting_the_token',
  refreshStatement('DELETE FROM refresh_tokens token USING locked WHERE'),
);

const IS_LIVE_IN_SCOPE = `
  user_id = $1 AND revoked_at IS NULL AND ($2::uuid IS NULL OR id = $2) AND ($3::uuid IS NULL OR id <> $3)`;

function scopeParameters(scope: SessionScope): readonly [string | null, string | null] {
  if (scope === 'all') return [null, null];
  return 'only' in scope ? [scope.only, null] : [null, scope.except];
}

function refreshParameters(token: RefreshedToken): readonly unknown[] {
  return [token.tokenHash, token.realmId, token.successorHash, token.refreshTtlSecs];
}

export const USED_TOKEN_STATEMENTS: Readonly<Record<UsedTokenRetention, UsedTokenStatements>> = {
  kept: {
    refresh: (token) => ({
      sql: REFRESH_KEPT,
      parameters: [...refreshParameters(token), token.sealedSuccessor],
    }),
    end: (userId, scope, reason) => ({
      sql: `UPDATE sessions SET revoked_at = now(), revoked_reason = $4 WHERE ${IS_LIVE_IN_SCOPE} RETURNING id`,
      parameters: [userId, ...scopeParameters(scope), reason],
    }),
  },
  deleted: {
    // A successor is kept with the used token; with that gone, nothing can be repeated.
    refresh: (token) => ({ sql: REFRESH_DELETED, parameters: refreshParameters(token) }),
    end: (userId, scope) => ({
      sql: `DELETE FROM sessions WHERE ${IS_LIVE_IN_SCOPE} RETURNING id`,
      parameters: [userId, ...scopeParameters(scope)],
    }),
  },
};
