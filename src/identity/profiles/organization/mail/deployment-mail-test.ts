import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../../platform/config/index.js';
import type { Config } from '../../../../platform/config/index.js';
import { Database } from '../../../../platform/database/index.js';
import { ServiceError } from '../../../../http/index.js';
import type { Origin } from '../../../../http/index.js';
import { DeliveryAttempt, Mail, MailFailedError } from '../../../../platform/mail/index.js';
import { UserLanguages } from '../../../languages/index.js';
import { MailLimits } from '../../../mails/mail-limits.js';
import { mailRefusal } from '../../../mails/mail-refusal.js';
import { testMail } from '../../../mail-templates/index.js';
import { DEPLOYMENT_REALM } from '../../../users/user.repository.js';

/** Sends a test mail, to check the settings of the deployment. */
@Injectable()
export class DeploymentMailTest {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly mail: Mail,
    private readonly database: Database,
    private readonly limits: MailLimits,
    private readonly languages: UserLanguages,
  ) {}

  /** @throws mail_not_configured, mail_failed, rate_limited */
  async send(to: string, origin: Origin): Promise<void> {
    if (!this.mail.isConfigured) throw new ServiceError('mail_not_configured');
    const use = { kind: 'test', realmId: DEPLOYMENT_REALM, email: to } as const;
    await this.database.transaction((tx) => this.limits.count(tx, use));
    try {
      const language = this.languages.choose(null, origin.language);
      const mail = testMail(language, this.config.identity.brand.name);
      await this.mail.send(to, mail, DeliveryAttempt.inRequest());
    } catch (error) {
      if (!(error instanceof MailFailedError)) throw error;
      await this.limits.giveBack(use);
      mailRefusal(error);
    }
  }
}
