import { Inject, Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { isUuid, sha256 } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { decodeCursor, pageOf, ServiceError } from '../../http/index.js';
import type { Origin, Page, PageQuery } from '../../http/index.js';
import { UserSessionRepository } from './user-session.repository.js';
import type { LiveSession } from './user-session.repository.js';
import type { SessionScope } from '../retention/used-token-retention.js';
import { SessionLiveness } from './session-liveness.js';
import type { SessionOfCaller } from './session-liveness.js';
import { UserRepository } from '../users/user.repository.js';
import type { RealmId } from '../users/user.repository.js';

/** Which sessions a logout ends: the caller's, the user's others, or all of them. */
export type LogoutScope = 'local' | 'others' | 'global';

interface RefreshTokenOfRealm {
  readonly realmId: RealmId;
  readonly refreshToken: string;
}

/** Lists and ends the sessions of users. */
@Injectable()
export class UserSessions {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly sessions: UserSessionRepository,
    private readonly liveness: SessionLiveness,
    private readonly audit: AuditTrail,
  ) {}

  /** The user's live sessions, newest first. */
  async list(userId: string, { limit, cursor }: PageQuery): Promise<Page<LiveSession>> {
    const before = decodeCursor(cursor);
    const { refreshTtlSecs } = this.config.identity;
    const found = await this.sessions.listLive(this.database.reader, userId, refreshTtlSecs, {
      limit: limit + 1,
      before,
    });
    return pageOf(found, limit, (last) => last.id);
  }

  /**
   * Ends one session of the caller.
   * @throws session_not_found when there is none, or it has ended; session_revoked
   */
  async revoke(by: SessionOfCaller, sessionId: string, origin: Origin): Promise<void> {
    if (!isUuid(sessionId)) throw new ServiceError('session_not_found');
    const { userId } = by;
    const refusal = accountEvent(userId, {
      action: 'session.revoke_refused',
      target: { type: 'session', id: sessionId },
      origin,
    });
    await this.liveness.recordingRefusal(refusal, () =>
      this.database.serialTransaction(userId, refusal.actor, async (tx) => {
        await this.liveness.require(tx, by);
        const ended = await this.end(tx, userId, { only: sessionId }, 'revoked', origin);
        if (ended === 0) throw new ServiceError('session_not_found');
      }),
    );
  }

  /**
   * Logs out. When this returns, the sessions that it ended cannot be refreshed. A session that has ended can be logged
   * out again, but cannot end other sessions.
   * @param by the caller's session, or its refresh token; an unknown token ends nothing
   * @throws session_revoked
   */
  async logout(by: SessionOfCaller | RefreshTokenOfRealm, scope: LogoutScope, origin: Origin): Promise<void> {
    const session = 'refreshToken' in by ? await this.ofToken(by) : by;
    if (session === null) return;
    const { userId, sessionId } = session;
    const ending: SessionScope =
      scope === 'global' ? 'all' : scope === 'others' ? { except: sessionId } : { only: sessionId };
    const refusal = accountEvent(userId, { action: 'session.revoke_refused', origin });
    await this.liveness.recordingRefusal(refusal, () =>
      this.database.serialTransaction(userId, refusal.actor, async (tx) => {
        if (scope !== 'local') await this.liveness.require(tx, session);
        await this.end(tx, userId, ending, 'logout', origin);
      }),
    );
  }

  private async ofToken({ realmId, refreshToken }: RefreshTokenOfRealm): Promise<SessionOfCaller | null> {
    const { reader } = this.database;
    const session = await this.sessions.findByRefreshToken(reader, realmId, sha256(refreshToken));
    return session === null ? null : { userId: session.userId, sessionId: session.id };
  }

  /** The lock on the user orders this with sign-in, so that it ends every session opened before. */
  private async end(
    tx: Tx,
    userId: string,
    scope: SessionScope,
    reason: string,
    origin: Origin,
  ): Promise<number> {
    await this.users.lock(tx, userId);
    const ended = await this.sessions.revoke(tx, userId, scope, reason);
    const isOne = typeof scope === 'object' && 'only' in scope;
    if (ended.length > 0) {
      await this.audit.append(
        tx,
        accountEvent(userId, {
          action: isOne ? 'session.revoked' : 'session.revoked_several',
          target: isOne ? { type: 'session', id: scope.only } : { type: 'user', id: userId },
          origin,
          details: isOne ? { reason } : { reason, sessions_revoked: ended.length },
        }),
      );
    }
    return ended.length;
  }
}
