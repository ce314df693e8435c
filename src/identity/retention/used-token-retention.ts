import type { RealmId } from '../users/user.repository.js';

/** What the active profile decides for the core. The core asks for the field, never for the profile. */
export abstract class IdentityProfile {
  /**
   * What is left of a refresh token once it is used and of a session once it has ended. `kept`: its row, marked,
   * so that a second use is known for the theft that it is. `deleted`: nothing, so that it is simply unknown.
   */
  abstract readonly usedTokens: UsedTokenRetention;

  /** What a user does whose address is not proven yet and has to be. */
  abstract readonly proofHint: string;
}

/** Whether used refresh tokens and ended sessions are kept, as marked, or deleted. */
export type UsedTokenRetention = 'kept' | 'deleted';

/** Which sessions of a user end: one, all but one, or all. */
export type SessionScope = { readonly only: string } | { readonly except: string } | 'all';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

interface UsedTokenStatements {
  /** Uses a refresh token up and answers its `session_id`; no row when it is not good. */
  consume(tokenHash: Buffer, realmId: RealmId, sealedSuccessor: Buffer | null): Statement;
  /** Ends sessions and answers the `id` of each that had not ended yet. */
  end(userId: string, scope: SessionScope, reason: string): Statement;
}

/** The session is locked first, as revoking and deleting lock it. */
const HELD_SESSION = `
  WITH held AS (
    SELECT session.id
    FROM refresh_tokens token
      JOIN sessions session ON session.id = token.session_id
      JOIN users owner ON owner.id = session.user_id
    WHERE token.token_hash = $1 AND owner.realm_id = $2
    FOR NO KEY UPDATE OF session
  )`;

const IS_CONSUMABLE = `
  token.token_hash = $1 AND token.session_id = held.id AND token.rotated_at IS NULL AND token.expires_at > now()`;

const IS_LIVE_IN_SCOPE = `
  user_id = $1 AND revoked_at IS NULL AND ($2::uuid IS NULL OR id = $2) AND ($3::uuid IS NULL OR id <> $3)`;

function scopeParameters(scope: SessionScope): readonly [string | null, string | null] {
  if (scope === 'all') return [null, null];
  return 'only' in scope ? [scope.only, null] : [null, scope.except];
}

export const USED_TOKEN_STATEMENTS: Readonly<Record<UsedTokenRetention, UsedTokenStatements>> = {
  kept: {
    consume: (tokenHash, realmId, sealedSuccessor) => ({
      sql: `${HELD_SESSION}
        UPDATE refresh_tokens token SET rotated_at = now(), sealed_successor = $3
        FROM held WHERE ${IS_CONSUMABLE} RETURNING token.session_id`,
      parameters: [tokenHash, realmId, sealedSuccessor],
    }),
    end: (userId, scope, reason) => ({
      sql: `UPDATE sessions SET revoked_at = now(), revoked_reason = $4 WHERE ${IS_LIVE_IN_SCOPE} RETURNING id`,
      parameters: [userId, ...scopeParameters(scope), reason],
    }),
  },
  deleted: {
    // A successor is kept with the used token; with that gone, nothing can be repeated.
    consume: (tokenHash, realmId) => ({
      sql: `${HELD_SESSION}
        DELETE FROM refresh_tokens token USING held WHERE ${IS_CONSUMABLE} RETURNING token.session_id`,
      parameters: [tokenHash, realmId],
    }),
    end: (userId, scope) => ({
      sql: `DELETE FROM sessions WHERE ${IS_LIVE_IN_SCOPE} RETURNING id`,
      parameters: [userId, ...scopeParameters(scope)],
    }),
  },
};
