import { Injectable, Logger } from '@nestjs/common';
import {
  DEPLOYMENT_REALM,
  mailLink,
  MailLimits,
  MailRenderer,
  UserLanguages,
  UserRepository,
} from '../../identity/index.js';
import type { MailUse } from '../../identity/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { nameProblem, PublicUrl } from '../../http/index.js';
import type { Origin, TenantId } from '../../http/index.js';
import { DeliveryAttempt, Mail, MailFailedError } from '../../platform/mail/index.js';

/** What the mail says besides its link. */
export interface InvitationLetter {
  readonly to: string;
  /** The organization, from `nameInMail`. */
  readonly org: string;
  readonly role: string;
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
  private readonly logger = new Logger(InvitationMail.name);

  constructor(
    private readonly publicUrl: PublicUrl,
    private readonly mail: Mail,
    private readonly limits: MailLimits,
    private readonly renderer: MailRenderer,
    private readonly languages: UserLanguages,
    private readonly users: UserRepository,
    private readonly database: Database,
  ) {}

  /** The page accepts only when a button is pressed, so that a mail scanner cannot use the token. */
  link(token: string): string {
    return mailLink(this.publicUrl.base, 'invitation', token);
  }

  /**
   * Counts the mail that is to be sent once `tx` has committed. To be called last, since the recipient's count is
   * locked until then. @throws rate_limited
   */
  async count(tx: Tx, organizationId: TenantId, to: string): Promise<void> {
    if (this.mail.isConfigured) await this.limits.count(tx, useOf(organizationId, to));
  }

  /**
   * Whether the mail server accepted the mail; false without a mail server. A mail that it did not accept does not
   * count.
   */
  async send(
    organizationId: TenantId,
    { to, org, inviter, role, origin }: InvitationLetter,
    link: string,
  ): Promise<boolean> {
    if (!this.mail.isConfigured) return false;
    try {
      const [unlinkedOrg, by] = [unlinked(org), inviter === org ? unlinked(inviter) : inviter];
      const values = { org: unlinkedOrg, inviter: by, role, link, email: to };
      const account = await this.users.findByEmail(this.database.reader, DEPLOYMENT_REALM, to);
      const language = this.languages.choose(account?.locale, origin.language);
      const letter = { name: 'invite', language, values } as const;
      await this.mail.send(
        to,
        await this.renderer.render(DEPLOYMENT_REALM, letter),
        DeliveryAttempt.inRequest(),
      );
      return true;
    } catch (error) {
      if (!(error instanceof MailFailedError)) throw error;
      await this.limits.giveBack(useOf(organizationId, to));
      this.logger.warn(error, 'an invitation was not mailed; its link is in the response instead');
      return false;
    }
  }
}

function useOf(sender: TenantId, email: string): MailUse {
  return { kind: 'invite', realmId: DEPLOYMENT_REALM, email, sender };
}
