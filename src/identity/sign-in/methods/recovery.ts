import { Injectable } from '@nestjs/common';
import type { Origin } from '../../../platform/http/index.js';
import { PasswordByToken } from './password-by-token.js';
import { SignIn } from '../sign-in.js';
import type { TokenPair } from '../../sessions/sessions.js';
import type { UserEntity } from '../../users/user.entity.js';
import type { RealmId } from '../../users/user.repository.js';

const RECOVERY = {
  purpose: 'recover',
  proof: 'recovery',
  action: 'recovery.completed',
  refusal: 'recovery.refused',
} as const;

/** Back into an account whose password is lost, with the token of a mail to its address. */
@Injectable()
export class Recovery {
  constructor(
    private readonly passwords: PasswordByToken,
    private readonly signIn: SignIn,
  ) {}

  /** The account that the token leads into, while it is good. */
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
