import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../audit/index.js';
import type { Actor, AuditEvent } from '../../audit/index.js';
import { CacheInvalidation } from '../../cache-invalidation/index.js';
import { newId } from '../../platform/crypto/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { UserSessionRepository } from '../sessions/user-session.repository.js';
import { AccountStates } from '../users/account-states.js';
import { UserEntity, UserRepository } from '../users/user.repository.js';
import type { RealmId } from '../users/user.repository.js';
import type { Metadata } from '../users/metadata.js';

export interface NewAccount {
  readonly email: string;
  /** Null until a password is set; nobody can sign in by password before that. */
  readonly passwordHash: string | null;
  readonly emailVerified: boolean;
  readonly metadata: Metadata;
  /** A language tag in its canonical form; without one, each mail and page is in the language of its request. */
  readonly locale?: string | null;
}

/** Creates, disables and deletes accounts, which are unique by address within a realm. */
@Injectable()
export class Accounts {
  constructor(
    private readonly users: UserRepository,
    private readonly sessions: UserSessionRepository,
    private readonly audit: AuditTrail,
    private readonly changes: CacheInvalidation,
    private readonly states: AccountStates,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates an account; null when the address has one. @param details for the audit entry; @param actor null for the
   * user
   */
  async create(
    tx: Tx,
    realmId: RealmId,
    account: NewAccount,
    origin: Origin | null,
    details: NonNullable<AuditEvent['details']> = {},
    actor: Actor | null = null,
  ): Promise<UserEntity | null> {
    const user: UserEntity = Object.assign(new UserEntity(), {
      ...account,
      locale: account.locale ?? null,
      id: newId(),
      realmId,
      createdAt: this.clock.now(),
      disabledAt: null,
      secondFactor: false,
    });
    if (!(await this.users.insertUser(tx, user))) return null;
    await this.audit.append(
      tx,
      accountEvent(user.id, {
        actor: actor ?? { type: 'user', id: user.id },
        action: 'user.signed_up',
        origin,
        details,
      }),
    );
    return user;
  }

  /**
   * Disables or enables an account and returns it. Disabling ends its sessions, and every instance refuses its access
   * tokens within a second, also after the account is enabled again. Repeating it changes nothing.
   * @throws user_not_found
   */
  async setDisabled(
    tx: Tx,
    userId: string,
    disabled: boolean,
    actor: Actor,
    origin: Origin | null,
  ): Promise<UserEntity> {
    const user = await this.users.lock(tx, userId);
    if (user === null) throw new ServiceError('user_not_found');
    if ((user.disabledAt !== null) === disabled) return user;
    const disabledAt = disabled ? this.clock.now() : null;
    if (disabledAt === null) await this.users.enable(tx, userId);
    else await this.users.disable(tx, userId, disabledAt);
    const ended = disabled ? await this.sessions.revoke(tx, userId, 'all', 'user_disabled') : [];
    await this.audit.append(
      tx,
      accountEvent(userId, {
        actor,
        action: disabled ? 'user.disabled' : 'user.enabled',
        origin,
        details: disabled ? { sessions_revoked: ended.length } : {},
      }),
    );
    await this.announce(tx, userId);
    return { ...user, disabledAt };
  }

  /** Deletes an account that the caller has locked. The caller removes what it owned elsewhere. */
  async delete(
    tx: Tx,
    userId: string,
    actor: Actor,
    origin: Origin | null,
    details: NonNullable<AuditEvent['details']> = {},
  ): Promise<void> {
    const realmId = await this.users.delete(tx, userId);
    const event = { actor, action: 'user.deleted', origin, details };
    await this.audit.append(tx, accountEvent(userId, { ...event, ...(realmId === null ? {} : { realmId }) }));
    await this.announce(tx, userId);
  }

  /** Whether users can sign in decides whether they count as owners, so memberships are invalidated as well. */
  private async announce(tx: Tx, userId: string): Promise<void> {
    await this.states.changed(tx, userId);
    await this.changes.announce(tx, { kind: 'membership', id: userId });
  }
}
