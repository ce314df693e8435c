import { MailerService } from '@nestjs-modules/mailer';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import { renderMail } from './mail-templates.js';

/** The mails there are; each is a folder of templates. */
export type MailTemplate = 'verify' | 'recover' | 'invite';

export interface MailMessage {
  readonly to: string;
  readonly template: MailTemplate;
  /** What the template names, `link` among them. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The mail server refused the message, or did not answer. */
export class MailFailedError extends Error {
  override name = 'MailFailedError';
}

/** Sends mail over SMTP (RFC 5321), where `identity.smtp` is configured. */
@Injectable()
export class Mail {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly mailer: MailerService,
  ) {}

  get isConfigured(): boolean {
    return this.config.identity.smtp !== null;
  }

  /** Hands the message to the mail server now. @throws MailFailedError */
  async send(message: MailMessage): Promise<void> {
    const { smtp } = this.config.identity;
    if (smtp === null) throw new MailFailedError('mail is not configured');
    const { subject, html, text } = await renderMail(message);
    try {
      await this.mailer.sendMail({ from: smtp.from, to: message.to, subject, html, text });
    } catch (error) {
      throw new MailFailedError('the mail server did not take the message', { cause: error });
    }
  }
}
