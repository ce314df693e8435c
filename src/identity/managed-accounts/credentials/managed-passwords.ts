import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import type { Origin } from '../../../http/index.js';
import { AccountNotices } from '../../mail-outbox/account-notices.js';
import { OneTimeTokens } from '../../one-time-tokens/one-time-tokens.js';
import { NewPassword } from '../../passwords/new-password.js';
import { AccountStates } from '../../users/account-states.js';
import { UserRepository } from '../../users/user.repository.js';
import { ManagedUsers } from '../users/managed-users.js';
import type { UserAct } from '../users/managed-users.js';

/** Sets and removes passwords for an operator or a service key. */
@Injectable()
export class ManagedPasswords {
  constructor(
    private readonly database: Database,
    private readonly managed: ManagedUsers,
    private readonly users: UserRepository,
    private readonly newPassword: NewPassword,
    private readonly states: AccountStates,
    private readonly tokens: OneTimeTokens,
    private readonly notices: AccountNotices,
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
      const action = passwordHash === null ? 'user.password_removed' : 'user.password_set';
      await this.newPassword.set(tx, user, passwordHash, { action, keptSessionId: null, origin, actor });
      await this.users.endAccessTokens(tx, user.id);
      await this.states.changed(tx, user.id);
      await this.tokens.voidAll(tx, user.id, ['magic_link']);
      await this.notices.send(tx, user, passwordHash === null ? 'password_removed' : 'password_set', origin);
    });
  }
}
