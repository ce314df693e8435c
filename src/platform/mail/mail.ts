import { MailerService } from '@nestjs-modules/mailer';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import type { DeliveryAttempt } from './delivery-attempt.js';
import { answerOf, MailFailedError } from './mail-failed-error.js';
import type { RenderedMail } from './rendered-mail.js';
import { messageOf } from './delivery-attempt.js';

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

  /** Hands the message to the mail server now. @returns what the server answered @throws MailFailedError */
  async send(to: string, mail: RenderedMail, attempt: DeliveryAttempt): Promise<string | null> {
    const { smtp } = this.config.identity;
    if (smtp === null) throw new MailFailedError('not configured', false);
    const outgoing = messageOf(smtp.from, to, mail, attempt);
    return await attempt.run(async () => {
      const sent: unknown = await this.mailer.sendMail({ ...outgoing, transporterName: attempt.kind });
      return answerOf(sent);
    });
  }
}
