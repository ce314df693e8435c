import { MailerService } from '@nestjs-modules/mailer';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import { MailFailedError, mailFailure } from './mail-failed-error.js';
import type { MailMessage } from './mail-message.js';
import { messageOf, SEND_LIMIT_MS } from './mail-server.js';
import { renderMail } from './mail-templates.js';

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

  /** Hands the message to the mail server now, within half a minute. @throws MailFailedError */
  async send(message: MailMessage): Promise<void> {
    const { smtp } = this.config.identity;
    if (smtp === null) throw new MailFailedError('not configured', false);
    const rendered = await renderMail(message);
    try {
      await this.mailer.sendMail({ timeout: SEND_LIMIT_MS, ...messageOf(smtp.from, message.to, rendered) });
    } catch (error) {
      throw mailFailure(error);
    }
  }
}
