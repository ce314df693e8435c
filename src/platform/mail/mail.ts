import { MailerService } from '@nestjs-modules/mailer';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import type { MailMessage } from './mail-message.js';
import { renderMail } from './mail-templates.js';

/** The longest that handing over one message may take, all steps together. */
const SEND_LIMIT_MS = 30_000;

/** What nodemailer says of a failure (https://nodemailer.com/smtp/, errors). */
interface SmtpFault {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
}

/** The mail server refused the message, or did not answer. */
export class MailFailedError extends Error {
  override name = 'MailFailedError';

  /**
   * @param reason a code that names no address and no content, fit for logs
   * @param isFinal whether the server said that this recipient will never be served (RFC 5321, section 4.2.1)
   */
  constructor(
    readonly reason: string,
    readonly isFinal: boolean,
  ) {
    super(`the mail server did not take the message: ${reason}`);
  }
}

function failureOf(error: unknown): MailFailedError {
  const fault: SmtpFault = typeof error === 'object' && error !== null ? error : {};
  const code = typeof fault.code === 'string' ? fault.code : 'timeout';
  const status = typeof fault.responseCode === 'number' ? fault.responseCode : null;
  // A refused sender or sign-in is ours to mend; a refused recipient is not.
  const isFinal = fault.command === 'RCPT TO' && status !== null && status >= 500;
  return new MailFailedError(status === null ? code : `${code} ${status}`, isFinal);
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

  /** Hands the message to the mail server now, within half a minute. @throws MailFailedError */
  async send(message: MailMessage): Promise<void> {
    const { smtp } = this.config.identity;
    if (smtp === null) throw new MailFailedError('not configured', false);
    const rendered = await renderMail(message);
    try {
      await this.mailer.sendMail({ from: smtp.from, to: message.to, timeout: SEND_LIMIT_MS, ...rendered });
    } catch (error) {
      throw failureOf(error);
    }
  }
}
