import { Injectable } from '@nestjs/common';
import { ProcessLocks } from '../../../../platform/database/index.js';
import { PublicUrl, ServiceError } from '../../../../http/index.js';
import { DeliveryAttempt } from '../../../../platform/mail/index.js';
import { UserLanguages } from '../../../languages/index.js';
import { mailRefusal } from '../../../mails/mail-refusal.js';
import { RedirectUrls } from '../../../redirects/redirect-urls.js';
import type { RequestedRedirect } from '../../../redirects/requested-redirect.js';
import { ProjectMails } from '../mail/project-mails.js';
import { realmOf } from '../../../own-account/own-account-access.js';
import { PendingInvitations } from './pending-invitations.js';
import type { InvitationRequest, PendingInvitation } from './pending-invitations.js';

/** Invitations by mail, to people who have no account yet. */
@Injectable()
export class Invitations {
  constructor(
    private readonly locks: ProcessLocks,
    private readonly mails: ProjectMails,
    private readonly publicUrl: PublicUrl,
    private readonly pending: PendingInvitations,
    private readonly redirects: RedirectUrls,
    private readonly languages: UserLanguages,
  ) {}

  /**
   * Creates the user and sends the mail, or does neither. A crash between the two leaves an unsent invitation that
   * nobody has locked; the next one for the address replaces it.
   * @throws validation_failed for a redirect that is not allowed; mail_not_configured, mail_failed, limit_reached, email_taken, rate_limited; checked in this order
   */
  async invite(request: InvitationRequest): Promise<PendingInvitation> {
    const realmId = realmOf(request.project);
    const redirect = await this.redirects.require(realmId, request);
    if (!(await this.mails.canSend(realmId, 'invite'))) throw new ServiceError('mail_not_configured');
    // Checked first: a mail server that is down fails for every address, whether taken or free.
    await this.mails.greet(realmId).catch(mailRefusal);
    const release = await this.locks.tryLock(`invitation:${realmId}:${request.email}`);
    if (release === null) throw new ServiceError('email_taken');
    try {
      return await this.inviteLocked(request, redirect);
    } finally {
      await release();
    }
  }

  private async inviteLocked(
    request: InvitationRequest,
    redirect: RequestedRedirect | null,
  ): Promise<PendingInvitation> {
    const invitation = await this.pending.begin(request, redirect);
    const { user, token } = invitation;
    const language = this.languages.choose(user.locale, request.origin.language);
    const baseUrl = this.publicUrl.base;
    const mail = { purpose: 'invite', to: user.email, token, baseUrl, language } as const;
    let answer: string | null;
    try {
      answer = await this.mails.send(realmOf(request.project), mail, DeliveryAttempt.inRequest());
    } catch (error) {
      await this.pending.abandon(invitation, request);
      return mailRefusal(error);
    }
    await this.pending.sent(invitation, answer);
    return invitation;
  }
}
