import { Injectable, Logger } from '@nestjs/common';
import { mailLink } from '../identity/index.js';
import { PublicUrl } from '../platform/http/index.js';
import { Mail, MailFailedError } from '../platform/mail/index.js';

/** What the mail says besides its link. */
export interface InvitationLetter {
  readonly to: string;
  /** The organization's name. */
  readonly org: string;
  readonly role: string;
  /** Who invites. */
  readonly inviter: string;
}

/** The link of an invitation, and the mail that carries it. */
@Injectable()
export class InvitationMail {
  private readonly logger = new Logger(InvitationMail.name);

  constructor(
    private readonly publicUrl: PublicUrl,
    private readonly mail: Mail,
  ) {}

  /** A page that accepts on a button press only, so that a mail scanner's visit uses nothing up. */
  link(token: string): string {
    return mailLink(this.publicUrl.base, 'invitation', token);
  }

  /** Whether the mail server took the letter; without one configured, no. */
  async send({ to, ...variables }: InvitationLetter, link: string): Promise<boolean> {
    if (!this.mail.isConfigured) return false;
    try {
      await this.mail.send({ to, template: 'invite', variables: { ...variables, link } });
      return true;
    } catch (error) {
      if (!(error instanceof MailFailedError)) throw error;
      this.logger.warn(error, 'an invitation was not mailed; its link is in the answer instead');
      return false;
    }
  }
}
