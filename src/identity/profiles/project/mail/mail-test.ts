import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/index.js';
import { ServiceError } from '../../../../http/index.js';
import type { ResolvedProject } from '../../../../http/index.js';
import { Handover, MailFailedError, TenantSmtp } from '../../../../platform/mail/index.js';
import { MailLimits } from '../../../mail-outbox/mail-limits.js';
import { realmOf } from '../projects.js';
import { MailSettings } from './mail-settings.js';

const REASONS: Readonly<Record<string, string>> = {
  EAUTH: 'it refused the user name or the password',
  ECONNECTION: 'there is no connection to it',
  EDNS: 'its name leads nowhere',
  ESOCKET: 'there is no connection to it',
  ETIMEDOUT: 'it did not answer in time',
  ETLS: 'it does not offer the encryption that the settings demand',
  timeout: 'it did not answer in time',
  'host not allowed': 'projects may not name mail servers at its address',
};

/**
 * Refuses with the reason why a mail was not sent, in the server's own words if it gave any. @throws mail_failed, or
 * any other error unchanged
 */
export function mailRefusal(error: unknown): never {
  if (!(error instanceof MailFailedError)) throw error;
  const { answer, reason } = error;
  const why = answer === null ? (REASONS[reason] ?? reason) : `it answered "${answer}"`;
  throw new ServiceError('mail_failed', { message: `The mail server did not take the message: ${why}.` });
}

/** Sends a test mail, to check the settings. */
@Injectable()
export class MailTest {
  constructor(
    private readonly settings: MailSettings,
    private readonly servers: TenantSmtp,
    private readonly database: Database,
    private readonly limits: MailLimits,
  ) {}

  /** @throws mail_not_configured, mail_failed, rate_limited */
  async send(project: ResolvedProject, to: string): Promise<void> {
    const { id, name } = project;
    const use = { kind: 'test', realmId: realmOf(project), email: to } as const;
    try {
      const server = await this.settings.serverOf(id);
      if (server === null) throw new ServiceError('mail_not_configured');
      await this.database.transaction((tx) => this.limits.count(tx, use));
      const text = 'The mail settings of this project work. Nothing needs to be done.';
      const mail = { subject: `Test mail of ${name}`, text, html: `<p>${text}</p>` };
      await this.servers.send(server, to, mail, Handover.inRequest());
    } catch (error) {
      if (!(error instanceof MailFailedError)) throw error;
      await this.limits.giveBack(use);
      mailRefusal(error);
    }
  }
}
