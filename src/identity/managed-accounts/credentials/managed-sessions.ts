import { Inject, Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../../audit/index.js';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { isUuid } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { decodeCursor, pageOf, ServiceError } from '../../../http/index.js';
import type { Page, PageQuery } from '../../../http/index.js';
import { UserSessionRepository } from '../../sessions/user-session.repository.js';
import type { LiveSession } from '../../sessions/user-session.repository.js';
import { AccountStates } from '../../users/account-states.js';
import { UserRepository } from '../../users/user.repository.js';
import { ManagedUsers } from '../users/managed-users.js';
import type { ManagedUserReference, UserAct } from '../users/managed-users.js';

const REASON = 'ended_by_operator';

/**
 * Lists and ends the sessions of users, for the operator or a service key. Unlike a logout, this also ends the access
 * tokens of the sessions: every instance refuses them within a second.
 */
@Injectable()
export class ManagedSessions {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly managed: ManagedUsers,
    private readonly users: UserRepository,
    private readonly sessions: UserSessionRepository,
    private readonly states: AccountStates,
    private readonly audit: AuditTrail,
  ) {}

  /** The user's live sessions, newest first. @throws user_not_found */
  async list(user: ManagedUserReference, { limit, cursor }: PageQuery): Promise<Page<LiveSession>> {
    const { reader } = this.database;
    const before = decodeCursor(cursor);
    const { id } = await this.managed.require(reader, user);
    const found = await this.sessions.listLive(reader, id, this.config.identity.refreshTtlSecs, {
      limit: limit + 1,
      before,
    });
    return pageOf(found, limit, (last) => last.id);
  }

  /** @throws user_not_found, session_not_found when there is none, or it has ended */
  async end(act: UserAct, sessionId: string): Promise<void> {
    await this.database.serialTransaction(act.userId, act.actor, async (tx) => {
      const { id: userId } = await this.managed.lock(tx, act);
      const ended = isUuid(sessionId)
        ? await this.sessions.revoke(tx, userId, { only: sessionId }, REASON)
        : [];
      if (ended.length === 0) throw new ServiceError('session_not_found');
      await this.endAccessTokens(tx, userId);
      const { actor, origin } = act;
      const target = { type: 'session', id: sessionId };
      const details = { reason: REASON };
      await this.audit.append(
        tx,
        accountEvent(userId, { actor, action: 'session.revoked', target, origin, details }),
      );
    });
  }

  /** Ends all of them. Repeating it changes nothing. @throws user_not_found */
  async endAll(act: UserAct): Promise<void> {
    await this.database.serialTransaction(act.userId, act.actor, async (tx) => {
      const { id: userId } = await this.managed.lock(tx, act);
      const ended = await this.endAllIn(tx, userId);
      if (ended.length === 0) return;
      const { actor, origin } = act;
      const details = { reason: REASON, sessions_revoked: ended.length };
      await this.audit.append(
        tx,
        accountEvent(userId, { actor, action: 'session.revoked_several', origin, details }),
      );
    });
  }

  /** Ends all sessions with their access tokens, in a transaction that locked the user. @returns those that lived */
  async endAllIn(tx: Tx, userId: string): Promise<readonly unknown[]> {
    const ended = await this.sessions.revoke(tx, userId, 'all', REASON);
    if (ended.length > 0) await this.endAccessTokens(tx, userId);
    return ended;
  }

  private async endAccessTokens(tx: Tx, userId: string): Promise<void> {
    await this.users.endAccessTokens(tx, userId);
    await this.states.changed(tx, userId);
  }
}
