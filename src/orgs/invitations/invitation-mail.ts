import { Injectable } from '@nestjs/common';
import { InvitationMails, mailLink } from '../../identity/index.js';
import type { Tx } from '../../platform/database/index.js';
import { nameProblem, PublicUrl } from '../../http/index.js';
import type { Origin, TenantId } from '../../http/index.js';
import type { Invitation } from './invitation.repository.js';

/** What the mail says besides what the invitation has. */
export interface InvitationSender {
  /** The organization, from `nameInMail`. */
  readonly org: string;
  /** Who invites. */
  readonly inviter: string;
  /** Of the request that sends it. */
  readonly origin: Origin;
}

/**
 * How a mail to a stranger names an organization: by its name, or by its slug if the name dates from before links in
 * names were refused.
 */
export function nameInMail({ name, slug }: { readonly name: string; readonly slug: string }): string {
  return nameProblem(name) === null ? name : slug;
}

/** Mail programs turn text that looks like a host into a link, but not if an invisible character follows each dot. */
function unlinked(text: string): string {
  return text.replaceAll(/\.(?=\S)/g, '.\u200B');
}

/** The link of an invitation, and the mail that carries it. */
@Injectable()
export class InvitationMail {
  constructor(
    private readonly publicUrl: PublicUrl,
    private readonly mails: InvitationMails,
  ) {}

  /** The page accepts only when a button is pressed, so that a mail scanner cannot use the token. */
  link(token: string): string {
    return mailLink(this.publicUrl.base, 'invitation', token);
  }

  /** As `InvitationMails.count`. @throws rate_limited */
  async count(tx: Tx, organizationId: TenantId, to: string): Promise<void> {
    await this.mails.count(tx, organizationId, to);
  }

  /** Whether the mail server accepted the mail; false without a mail server. */
  async send(
    { id: invitationId, orgId: organizationId, email: to, role }: Invitation,
    { org, inviter, origin }: InvitationSender,
    token: string,
  ): Promise<boolean> {
    const values = { org: unlinked(org), inviter: inviter === org ? unlinked(inviter) : inviter, role };
    const link = this.link(token);
    return await this.mails.send({ invitationId, organizationId, to, values, link, token, origin });
  }
}
