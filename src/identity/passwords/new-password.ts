import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../audit/index.js';
import type { Actor } from '../../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { Origin } from '../../http/index.js';
import { OneTimeTokens } from '../one-time-tokens/one-time-tokens.js';
import { UserSessionRepository } from '../sessions/user-session.repository.js';
import { UserRepository } from '../users/user.repository.js';
import type { UserEntity } from '../users/user.repository.js';
import { BreachedPasswords } from './breached-passwords.js';
import { PasswordHasher } from './password-hasher.js';
import { PasswordPolicy, weakPassword } from './password-policy.js';

/** Replaces passwords. */
@Injectable()
export class NewPassword {
  constructor(
    private readonly policy: PasswordPolicy,
    private readonly breached: BreachedPasswords,
    private readonly hasher: PasswordHasher,
    private readonly users: UserRepository,
    private readonly sessions: UserSessionRepository,
    private readonly tokens: OneTimeTokens,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws validation_failed, weak_password */
  require(password: string): void {
    this.policy.require(password);
  }

  /** @throws validation_failed, weak_password, overloaded */
  async hash(password: string, origin: Origin): Promise<string> {
    this.policy.require(password);
    if (await this.breached.has(password)) throw weakPassword('appears in a breach of another service');
    return await this.hasher.hash(password, origin);
  }

  /**
   * Stores the hash for a user whose row the caller holds, ends all of the user's sessions but one, and voids links that set
   * a password.
   * @param passwordHash null for no password
   * @param occasion `action` is the name of the audit entry; `actor` is the user unless given
   */
  async set(
    tx: Tx,
    user: UserEntity,
    passwordHash: string | null,
    occasion: { action: string; keptSessionId: string | null; origin: Origin | null; actor?: Actor },
  ): Promise<void> {
    const { action, keptSessionId, origin, actor = { type: 'user', id: user.id } } = occasion;
    await this.users.setPasswordHash(tx, user.id, passwordHash);
    await this.tokens.voidAll(tx, user.id, ['recover']);
    const scope = keptSessionId === null ? 'all' : { except: keptSessionId };
    const ended = await this.sessions.revoke(tx, user.id, scope, 'password_changed');
    await this.audit.append(
      tx,
      accountEvent(user.id, { actor, action, origin, details: { sessions_revoked: ended.length } }),
    );
  }
}
