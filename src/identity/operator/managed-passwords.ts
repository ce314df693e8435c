import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import type { Origin } from '../../http/index.js';
import { AccountNotices } from '../mail-outbox/account-notices.js';
import { OneTimeTokens } from '../one-time-tokens/one-time-tokens.js';
import { NewPassword } from '../passwords/new-password.js';
import { UserSessionRepository } from '../sessions/user-session.repository.js';
import { AccountStates } from '../users/account-states.js';
import { UserRepository } from '../users/user.repository.js';
import { ManagedUsers } from './managed-users.js';
import type { UserAct } from './managed-users.js';

/** Passwords that an operator or a service key sets or removes. */
@Injectable()
export class ManagedPasswords {
  constructor(
    private readonly database: Database,
    private readonly managed: ManagedUsers,
    private readonly users: UserRepository,
    private readonly newPassword: NewPassword,
    private readonly sessions: UserSessionRepository,
    private readonly states: AccountStates,
    private readonly tokens: OneTimeTokens,
    private readonly notices: AccountNotices,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Ends every session with its access tokens, and voids the mailed links that sign in or set a password. The user is
   * notified by mail.
   * @throws user_not_found, validation_failed, weak_password, overloaded
   */
  async set(act: UserAct & { readonly origin: Origin }, password: string): Promise<void> {
    await this.managed.require(this.database.reader, act);
    await this.replace(act, await this.newPassword.hash(password, act.origin));
  }

  /** The same, and leaves the account without a password. @throws user_not_found */
  async remove(act: UserAct): Promise<void> {
    await this.replace(act, null);
  }

  private async replace(act: UserAct, passwordHash: string | null): Promise<void> {
    const { actor, origin } = act;
    await this.database.serialTransaction(act.userId, actor, async (tx) => {
      const user = await this.managed.lock(tx, act);
      if (passwordHash === null && user.passwordHash === null) return;
      await this.users.replacePassword(tx, user.id, passwordHash);
      const ended = await this.sessions.revoke(tx, user.id, 'all', 'password_changed');
      await this.tokens.voidAll(tx, user.id, ['recover', 'magic_link']);
      await this.states.changed(tx, user.id);
      const action = passwordHash === null ? 'user.password_removed' : 'user.password_set';
      const details = { sessions_revoked: ended.length };
      await this.audit.append(tx, accountEvent(user.id, { actor, action, origin, details }));
      await this.notices.send(tx, user, passwordHash === null ? 'password_removed' : 'password_set');
    });
  }
}
