import type { CallOptions } from '../../http/call.js';
import type { List } from '../../http/list.js';
import type { Mail } from '../../shapes.js';
import type { MailFilter } from '../admin-mail.js';
import type { ProjectApi } from '../apis.js';
import type { MailSettings, NewMailSettings } from './project-shapes.js';

/** The server that sends the project's mails. Needs the service key. */
export class ProjectMail {
  constructor(private readonly api: ProjectApi) {}

  /** Without the password. @throws ServiceError 404 if none is set */
  async get({ signal }: CallOptions = {}): Promise<MailSettings> {
    return await this.api.get('/auth/v1/mail', { signal });
  }

  async set(settings: NewMailSettings, { signal }: CallOptions = {}): Promise<MailSettings> {
    return await this.api.put('/auth/v1/mail', { body: settings, signal });
  }

  async delete({ signal }: CallOptions = {}): Promise<void> {
    await this.api.delete('/auth/v1/mail', { signal });
  }

  /** Sends a mail now. @throws ServiceError 502 with what the mail server said */
  async test(to: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.post('/auth/v1/mail/test', { body: { to }, signal });
  }

  /** The mails that are waiting, sent or failed, newest first. */
  outbox({ signal, ...filter }: MailFilter & CallOptions = {}): List<Mail> {
    return this.api.list('/auth/v1/mail/outbox', { query: { ...filter }, signal });
  }

  /** Sends a mail again. @returns the mail that waits now, which is a new one if the other was finished */
  async retry(id: string, { signal }: CallOptions = {}): Promise<Mail> {
    return await this.api.post('/auth/v1/mail/outbox/{id}/retry', { parameters: { id }, signal });
  }
}
