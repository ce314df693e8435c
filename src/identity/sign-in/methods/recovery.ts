import { Injectable } from '@nestjs/common';
import { AuthMetrics } from '../../../audit/index.js';
import type { Origin } from '../../../http/index.js';
import type { FoundToken } from '../../one-time-tokens/one-time-tokens.js';
import { PageEndings } from '../../redirects/page-endings.js';
import type { PageEnding } from '../../redirects/page-endings.js';
import type { TokenPair } from '../../sessions/sessions.js';
import type { RealmId } from '../../users/user.repository.js';
import { SignIn } from '../sign-in.js';
import { PasswordByToken } from './password-by-token.js';
import type { PasswordByTokenRequest } from './password-by-token.js';

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
    private readonly endings: PageEndings,
    private readonly metrics: AuthMetrics,
  ) {}

  /** The account of a valid token. */
  async peek(realmId: RealmId, token: string): Promise<FoundToken | null> {
    return await this.passwords.peek(realmId, token, 'recover');
  }

  /** As `setPassword`, and opens a session. @throws invalid_token, validation_failed, overloaded */
  async complete(
    request: PasswordByTokenRequest & { readonly codeVerifier: string | null },
  ): Promise<TokenPair> {
    return await this.metrics.counted('recovery', async () => {
      const opened = await this.passwords.redeem(RECOVERY, request, (tx, { user }) =>
        this.signIn.completeIn(tx, user, 'recovery', request.origin),
      );
      return await this.signIn.issue(opened);
    });
  }

  /**
   * Sets the password on the page of the mail; every session ends. The token came by mail and so proves the address.
   * @throws invalid_token, validation_failed, overloaded
   */
  async setPassword(realmId: RealmId, token: string, password: string, origin: Origin): Promise<PageEnding> {
    const list = await this.endings.listOf(realmId);
    return await this.passwords.redeem(
      RECOVERY,
      { realmId, token, password, origin },
      (tx, { user, redirect }) => this.endings.end(tx, user, redirect, 'recovery', list),
    );
  }
}
