import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { AccountNotices } from '../mail-outbox/account-notices.js';
import { SessionLiveness } from '../sessions/session-liveness.js';
import type { SessionOfCaller } from '../sessions/session-liveness.js';
import { SessionRepository } from '../sessions/session.repository.js';
import { UserSessionRepository } from '../sessions/user-session.repository.js';
import { AccountStates } from '../users/account-states.js';
import { UserRepository } from '../users/user.repository.js';
import type { UserEntity } from '../users/user.repository.js';
import { FactorRepository } from './factor.repository.js';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.js';

/** More than anyone has devices; it bounds what a sign-in tries and what a list shows. */
const MAX_FACTORS = 10;

/** A factor that was just put in force. */
export interface AddedFactor {
  readonly id: string;
  /** Of the proof that it works. */
  readonly amr: readonly string[];
}

/** What a confirmed factor does to the sessions of its user. */
@Injectable()
export class FactorSessions {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly userSessions: UserSessionRepository,
    private readonly accounts: AccountStates,
  ) {}

  /**
   * The session has proven the factor; the others, which have not, end with their access tokens.
   * @param sessionId null where none has: all end
   * @returns how many ended
   */
  async raise(tx: Tx, userId: string, sessionId: string | null, amr: readonly string[]): Promise<number> {
    if (sessionId !== null) await this.sessions.prove(tx, sessionId, amr, 2);
    const kept = sessionId === null ? 'all' : { except: sessionId };
    const ended = await this.userSessions.revoke(tx, userId, kept, 'factor_added');
    await this.accounts.changed(tx, userId);
    return ended.length;
  }

  /** Organizations may require a factor that is gone now. */
  async lower(tx: Tx, userId: string): Promise<void> {
    await this.accounts.changed(tx, userId);
  }
}

/** What changes of factors have in common: who may make them, what follows for sessions, and who is told. */
@Injectable()
export class FactorChanges {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly factors: FactorRepository,
    private readonly sessions: FactorSessions,
    private readonly liveness: SessionLiveness,
    private readonly notices: AccountNotices,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Runs `work` with the account locked, for a session that lives and, if so wanted, has a recent proof.
   * @throws session_revoked, reauthentication_required, invalid_access_token
   */
  async apply<Result>(
    caller: SessionOfCaller,
    wanted: 'live' | 'recent',
    origin: Origin,
    work: (tx: Tx, user: UserEntity) => Promise<Result>,
  ): Promise<Result> {
    const { userId } = caller;
    const refusal = accountEvent(userId, { action: 'user.factor_change_refused', origin });
    return await this.liveness.recordingRefusal(refusal, () =>
      this.database.serialTransaction(userId, refusal.actor, async (tx) => {
        const user = await this.users.lock(tx, userId);
        if (user === null || user.disabledAt !== null) throw new ServiceError('invalid_access_token');
        if (wanted === 'recent') await this.liveness.requireRecent(tx, caller);
        else await this.liveness.require(tx, caller);
        return await work(tx, user);
      }),
    );
  }

  /** @throws limit_reached */
  async requireRoom(tx: Tx, userId: string): Promise<void> {
    const { length } = await this.factors.list(tx, userId);
    if (length < MAX_FACTORS) return;
    const hint = `An account has at most ${MAX_FACTORS} factors; remove one.`;
    throw new ServiceError('limit_reached', { hint });
  }

  /**
   * What follows for the account.
   * @param session that has proven the factor; null where a sign-in did, whose session is not open yet
   * @returns the recovery codes; null where the account has some
   */
  async added(
    tx: Tx,
    user: UserEntity,
    session: SessionOfCaller | null,
    { id, amr }: AddedFactor,
    origin: Origin,
  ): Promise<string[] | null> {
    await this.factors.markInForce(tx, user.id);
    const ended = await this.sessions.raise(tx, user.id, session?.sessionId ?? null, amr);
    const target = { type: 'factor', id };
    const details = { sessions_revoked: ended };
    await this.audit.append(
      tx,
      accountEvent(user.id, { action: 'user.factor_added', target, origin, details }),
    );
    await this.notices.send(tx, user, 'factor_added', origin);
    return user.secondFactor ? null : await this.newCodes(tx, user.id);
  }

  /** Replaces all recovery codes. */
  async newCodes(tx: Tx, userId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    const hashes = codes.map((code) => recoveryCodeHash(userId, code));
    await this.factors.setRecoveryCodes(tx, userId, hashes);
    return codes;
  }

  async removed(tx: Tx, user: UserEntity, id: string, origin: Origin): Promise<void> {
    const target = { type: 'factor', id };
    await this.audit.append(tx, accountEvent(user.id, { action: 'user.factor_removed', target, origin }));
    await this.sessions.lower(tx, user.id);
    await this.notices.send(tx, user, 'factor_removed', origin);
  }
}
