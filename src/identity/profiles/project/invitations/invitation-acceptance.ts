import { Injectable } from '@nestjs/common';
import { AuthMetrics } from '../../../../audit/index.js';
import type { FoundToken } from '../../../one-time-tokens/one-time-tokens.js';
import { PageEndings } from '../../../redirects/page-endings.js';
import type { PageEnding } from '../../../redirects/page-endings.js';
import type { TokenPair } from '../../../sessions/sessions.js';
import { PasswordByToken } from '../../../sign-in/methods/password-by-token.js';
import type { PasswordByTokenRequest } from '../../../sign-in/methods/password-by-token.js';
import { SignIn } from '../../../sign-in/sign-in.js';
import type { RealmId } from '../../../users/user.repository.js';
import { ProjectInvitationRepository } from './invitation.repository.js';

const ACCEPTANCE = {
  purpose: 'invite',
  proof: 'invitation',
  action: 'invitation.accepted',
  refusal: 'invitation.acceptance_refused',
} as const;

/** Accepts invitations by the token of their mail. */
@Injectable()
export class InvitationAcceptance {
  constructor(
    private readonly passwords: PasswordByToken,
    private readonly signIn: SignIn,
    private readonly invitations: ProjectInvitationRepository,
    private readonly endings: PageEndings,
    private readonly metrics: AuthMetrics,
  ) {}

  /** The user whom a valid token invites. */
  async peek(realmId: RealmId, token: string): Promise<FoundToken | null> {
    return await this.passwords.peek(realmId, token, 'invite');
  }

  /** As `setPassword`, and opens a session. @throws invalid_token, validation_failed, overloaded */
  async accept(
    request: PasswordByTokenRequest & { readonly codeVerifier: string | null },
  ): Promise<TokenPair> {
    return await this.metrics.counted('invitation', async () => {
      const opened = await this.passwords.redeem(ACCEPTANCE, request, async (tx, { user }) => {
        await this.invitations.delete(tx, user.id);
        return await this.signIn.completeIn(tx, user, 'invitation', request.origin);
      });
      return await this.signIn.issue(opened);
    });
  }

  /** Sets the password of the invited user on the page. @throws invalid_token, validation_failed, overloaded */
  async setPassword(request: Omit<PasswordByTokenRequest, 'codeVerifier'>): Promise<PageEnding> {
    const list = await this.endings.listOf(request.realmId);
    return await this.passwords.redeem(ACCEPTANCE, request, async (tx, { user, redirect }) => {
      await this.invitations.delete(tx, user.id);
      return await this.endings.end(tx, user, redirect, 'invitation', list);
    });
  }
}
