import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../audit/index.js';
import type { AuditEvent } from '../../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { Origin } from '../../http/index.js';
import { FactorRepository } from '../factors/factor.repository.js';
import { UserSessionRepository } from '../sessions/user-session.repository.js';
import { AccountStates } from '../users/account-states.js';
import { UserRepository } from '../users/user.repository.js';
import type { UserEntity } from '../users/user.repository.js';

/** Proofs of an address other than the mail that its sign-up sent. */
export type OtherProof = 'magic_link' | 'recovery' | 'invitation';

/**
 * The only place where an address becomes verified: by a token that was mailed and never shown in a response. For both
 * methods, the caller must hold the user's row. They change nothing for a verified address.
 */
@Injectable()
export class AddressProof {
  constructor(
    private readonly users: UserRepository,
    private readonly sessions: UserSessionRepository,
    private readonly factors: FactorRepository,
    private readonly states: AccountStates,
    private readonly audit: AuditTrail,
  ) {}

  /** By the mail of the account's own sign-up: the password stays valid. */
  async bySignUpMail(tx: Tx, user: UserEntity, origin: Origin): Promise<UserEntity> {
    if (user.emailVerified) return user;
    await this.users.markVerified(tx, user.id);
    await this.record(tx, user, origin, { by: 'verification' });
    await this.states.changed(tx, user.id);
    return { ...user, emailVerified: true };
  }

  /**
   * By another mail. The account may have been created by somebody who was waiting for the owner of the address to use
   * it, so the password and the second factors are removed, and every session ends with its access tokens. Returns the account as it is now.
   */
  async byOtherMail(tx: Tx, user: UserEntity, by: OtherProof, origin: Origin): Promise<UserEntity> {
    if (user.emailVerified) return user;
    // Of whoever made the account: it would lock the owner of the address out.
    if (user.secondFactor) await this.factors.removeAll(tx, user.id);
    // Sessions of an unverified account began with its password or a passkey. Without either, there are none to end.
    if (user.passwordHash === null && !user.secondFactor) {
      await this.users.markVerified(tx, user.id);
      await this.record(tx, user, origin, { by });
    } else {
      await this.users.markVerifiedAnew(tx, user.id);
      const ended = await this.sessions.revoke(tx, user.id, 'all', 'address_proven');
      const details = {
        by,
        password_removed: user.passwordHash !== null,
        ...(user.secondFactor ? { factors_removed: true } : {}),
        sessions_revoked: ended.length,
      };
      await this.record(tx, user, origin, details);
    }
    await this.states.changed(tx, user.id);
    return { ...user, emailVerified: true, passwordHash: null, secondFactor: false };
  }

  private async record(
    tx: Tx,
    user: UserEntity,
    origin: Origin,
    details: NonNullable<AuditEvent['details']>,
  ): Promise<void> {
    await this.audit.append(tx, accountEvent(user.id, { action: 'user.email_verified', origin, details }));
  }
}
