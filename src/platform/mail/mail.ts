import { MailerService } from '@nestjs-modules/mailer';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import type { Handover } from './handover.js';
import { MailFailedError } from './mail-failed-error.js';
import type { MailMessage } from './mail-templates.js';
import { renderMail } from './mail-templates.js';
import { messageOf } from './handover.js';

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
  async send({ to, ...message }: MailMessage, handover: Handover): Promise<void> {
    const { smtp } = this.config.identity;
    if (smtp === null) throw new MailFailedError('not configured', false);
    const rendered = await renderMail({ to, ...message });
    const outgoing = messageOf(smtp.from, to, rendered, handover);
    await handover.run(async () => {
      await this.mailer.sendMail({ ...outgoing, transporterName: handover.kind });
    });
  }
}
