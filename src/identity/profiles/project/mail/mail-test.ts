import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../../../platform/http/index.js';
import type { ResolvedProject } from '../../../../platform/http/index.js';
import { ForeignMailServers, MailFailedError } from '../../../../platform/mail/index.js';
import { mailRefusal } from './mail-refusal.js';
import { MailSettings } from './mail-settings.js';

/** A mail that says nothing, to see whether the settings work. */
@Injectable()
export class MailTest {
  constructor(
    private readonly settings: MailSettings,
    private readonly servers: ForeignMailServers,
  ) {}

  /** @throws mail_not_configured, mail_failed */
  async send({ id, name }: ResolvedProject, to: string): Promise<void> {
    try {
      const server = await this.settings.serverOf(id);
      if (server === null) throw new ServiceError('mail_not_configured');
      const text = 'The mail settings of this project work. Nothing needs to be done.';
      await this.servers.send(server, to, { subject: `Test mail of ${name}`, text, html: `<p>${text}</p>` });
    } catch (error) {
      if (error instanceof MailFailedError) mailRefusal(error);
      throw error;
    }
  }
}
