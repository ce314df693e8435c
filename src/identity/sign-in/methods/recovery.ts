import { Injectable } from '@nestjs/common';
import { PublicUrl } from '../../../http/index.js';
import type { Origin } from '../../../http/index.js';
import { MailOutbox } from '../../mail-outbox/mail-outbox.js';
import type { TokenPair } from '../../sessions/sessions.js';
import type { RealmId, UserEntity } from '../../users/user.repository.js';
import { SignIn } from '../sign-in.js';
import { PasswordByToken } from './password-by-token.js';

const RECOVERY = {
  purpose: 'recover',
  proof: 'recovery',
  action: 'recovery.completed',
  refusal: 'recovery.refused',
} as const;

/** Recovery of an account without its password, with the token of a mail to its address. */
@Injectable()
export class Recovery {
  constructor(
    private readonly passwords: PasswordByToken,
    private readonly signIn: SignIn,
    private readonly outbox: MailOutbox,
    private readonly publicUrl: PublicUrl,
  ) {}

  /**
   * Requests the mail, as often as the limits on mails allow. Whether the address has an account is looked up by a
   * worker when it composes the mail: nothing here depends on it, so neither the response nor its time reveals it.
   */
  async request(realmId: RealmId, email: string, origin: Origin): Promise<void> {
    const mail = { kind: 'recover', realmId, email, origin, baseUrl: this.publicUrl.base } as const;
    await this.outbox.enqueueWithinLimits(mail, { realmId, email, kind: 'recover' });
  }

  /** The account of a valid token. */
  async peek(realmId: RealmId, token: string): Promise<UserEntity | null> {
    return await this.passwords.peek(realmId, token, 'recover');
  }

  /** As `setPassword`, and opens a session. @throws invalid_token, validation_failed, overloaded */
  async complete(realmId: RealmId, token: string, password: string, origin: Origin): Promise<TokenPair> {
    const request = { realmId, token, password, origin };
    const opened = await this.passwords.redeem(RECOVERY, request, (tx, user) =>
      this.signIn.completeIn(tx, user, 'recovery', origin),
    );
    return await this.signIn.issue(opened);
  }

  /**
   * Sets the password; every session ends. The token came by mail and so proves the address.
   * @throws invalid_token, validation_failed, overloaded
   */
  async setPassword(realmId: RealmId, token: string, password: string, origin: Origin): Promise<UserEntity> {
    return await this.passwords.redeem(RECOVERY, { realmId, token, password, origin }, (_tx, user) =>
      Promise.resolve(user),
    );
  }
}
