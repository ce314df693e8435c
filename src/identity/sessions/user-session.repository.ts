import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import { SignInCodeRepository } from '../redirects/sign-in-code.repository.js';
import { IdentityProfile } from '../retention/identity-profile.js';
import { USED_TOKEN_STATEMENTS } from '../retention/used-token-retention.js';
import type { SessionScope } from '../retention/used-token-retention.js';
import type { RealmId } from '../users/user.repository.js';

/** A session as its user sees it. */
export interface LiveSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastRefreshedAt: Date;
  readonly userAgent: string | null;
  readonly ip: string | null;
}

/** Sessions by user. For writes, the caller must hold the user's row (`UserRepository.lock`). */
@Injectable()
export class UserSessionRepository {
  constructor(
    private readonly profile: IdentityProfile,
    private readonly codes: SignInCodeRepository,
  ) {}

  /** Sessions that can still be refreshed, newest first: `limit` of them before the session `before`. */
  async listLive(
    handle: Tx | Reader,
    userId: string,
    refreshTtlSecs: number,
    { limit, before }: { limit: number; before: string | null },
  ): Promise<LiveSession[]> {
    return await rows<LiveSession>(
      handle,
      `SELECT id, created_at AS "createdAt", last_refreshed_at AS "lastRefreshedAt",
              user_agent AS "userAgent", ip
       FROM sessions
       WHERE user_id = $1 AND revoked_at IS NULL
         AND last_refreshed_at > now() - make_interval(secs => $2)
         AND ($3::uuid IS NULL OR id < $3)
       ORDER BY id DESC LIMIT $4`,
      [userId, refreshTtlSecs, before, limit],
    );
  }

  /** The session of an unexpired refresh token of the realm, used or not. */
  async findByRefreshToken(
    handle: Tx | Reader,
    realmId: RealmId,
    tokenHash: Buffer,
  ): Promise<{ id: string; userId: string } | null> {
    return await firstRow(
      handle,
      `SELECT session.id, session.user_id AS "userId"
       FROM refresh_tokens token
         JOIN sessions session ON session.id = token.session_id
         JOIN users owner ON owner.id = session.user_id
       WHERE token.token_hash = $1 AND token.expires_at > now() AND owner.realm_id = $2`,
      [tokenHash, realmId],
    );
  }

  /**
   * Ends sessions and returns the ids of those that had not ended before. Unless it is one session only, what would
   * open another ends too. So does a change of address that waits for its mail, unless its session is not among them or
   * only logs out.
   */
  async revoke(tx: Tx, userId: string, scope: SessionScope, reason: string): Promise<string[]> {
    if (scope === 'all' || 'except' in scope) await this.voidPending(tx, userId);
    else if (reason !== 'logout') await voidAddressChange(tx, userId, scope.only);
    const { sql, parameters } = USED_TOKEN_STATEMENTS[this.profile.usedTokens].end(userId, scope, reason);
    return (await rows<{ id: string }>(tx, sql, parameters)).map(({ id }) => id);
  }

  /** Voids codes of pages, sign-ins that wait for a factor, and a change of address that waits for its mail. */
  async voidPending(tx: Tx, userId: string): Promise<void> {
    await this.codes.voidAll(tx, userId);
    await rows(tx, 'DELETE FROM second_factor_challenges WHERE user_id = $1', [userId]);
    await rows(tx, 'DELETE FROM address_changes WHERE user_id = $1', [userId]);
  }
}

/** Voids the change of address that waits for its mail, if this session asked for it. The caller holds the user's row. */
export async function voidAddressChange(tx: Tx, userId: string, sessionId: string): Promise<void> {
  await rows(tx, 'DELETE FROM address_changes WHERE user_id = $1 AND session_id = $2', [userId, sessionId]);
}
