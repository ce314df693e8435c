import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/index.js';
import { ServiceError } from '../../../../http/index.js';
import type { Origin, ResolvedProject } from '../../../../http/index.js';
import { DeliveryAttempt, MailFailedError, TenantSmtp } from '../../../../platform/mail/index.js';
import { UserLanguages } from '../../../languages/index.js';
import { MailLimits } from '../../../mails/mail-limits.js';
import { mailRefusal } from '../../../mails/mail-refusal.js';
import { testMail } from '../../../mail-templates/index.js';
import { realmOf } from '../../../own-account/own-account-access.js';
import { MailSettings } from './mail-settings.js';

/** Sends a test mail, to check the settings. */
@Injectable()
export class MailTest {
  constructor(
    private readonly settings: MailSettings,
    private readonly servers: TenantSmtp,
    private readonly database: Database,
    private readonly limits: MailLimits,
    private readonly languages: UserLanguages,
  ) {}

  /** @throws mail_not_configured, mail_failed, rate_limited */
  async send(project: ResolvedProject, to: string, origin: Origin): Promise<void> {
    const { id, name } = project;
    const use = { kind: 'test', realmId: realmOf(project), email: to } as const;
    try {
      const server = await this.settings.serverOf(id);
      if (server === null) throw new ServiceError('mail_not_configured');
      await this.database.transaction((tx) => this.limits.count(tx, use));
      const mail = testMail(this.languages.choose(null, origin.language), name);
      await this.servers.send(server, to, mail, DeliveryAttempt.inRequest());
    } catch (error) {
      if (!(error instanceof MailFailedError)) throw error;
      await this.limits.giveBack(use);
      mailRefusal(error);
    }
  }
}
