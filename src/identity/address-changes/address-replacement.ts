import { Injectable } from '@nestjs/common';
import { accountEvent, ANONYMOUS, AuditTrail } from '../../audit/index.js';
import { violatesUnique } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import type { TenantEvent } from '../../tenancy/index.js';
import { OneTimeTokens, TOKEN_PURPOSES } from '../one-time-tokens/one-time-tokens.js';
import { UserSessionRepository } from '../sessions/user-session.repository.js';
import { AccountStates } from '../users/account-states.js';
import { UserRepository } from '../users/user.repository.js';
import type { RealmId, UserEntity } from '../users/user.repository.js';
import { AddressChangeMails } from './address-change-mails.js';
import type { AddressChange } from './address-change.repository.js';

/** Puts a new address in force. */
@Injectable()
export class AddressReplacement {
  constructor(
    private readonly users: UserRepository,
    private readonly sessions: UserSessionRepository,
    private readonly tokens: OneTimeTokens,
    private readonly mails: AddressChangeMails,
    private readonly states: AccountStates,
    private readonly audit: AuditTrail,
  ) {}

  /** The caller holds the user's row. @returns the account with the new address, verified @throws email_taken */
  async put(tx: Tx, realmId: RealmId, change: AddressChange, origin: Origin): Promise<UserEntity> {
    const { userId, formerEmail, newEmail } = change;
    let wasVerified: boolean;
    try {
      wasVerified = await this.users.setProvenEmail(tx, userId, newEmail);
    } catch (error) {
      if (violatesUnique(error, 'users_realm_id_email_key')) throw new ServiceError('email_taken');
      throw error;
    }
    const details = { email: { from: formerEmail, to: newEmail } };
    const event = { actor: ANONYMOUS, action: 'user.email_changed', origin, details };
    const verified: TenantEvent = { type: 'user.verified', data: { user_id: userId } };
    await this.audit.append(tx, accountEvent(userId, { ...event, events: wasVerified ? [] : [verified] }));
    // Whoever reads the former mailbox may have begun to sign in by it.
    await this.sessions.voidPending(tx, userId);
    // They are bound to the former address, and would be good again if the account came back to it.
    await this.tokens.voidAll(tx, userId, TOKEN_PURPOSES);
    await this.states.changed(tx, userId);
    await this.mails.tellFormer(tx, realmId, change, origin);
    const user = await this.users.findById(tx, userId);
    if (user === null) throw new Error('an account vanished while its row was held');
    return user;
  }
}
