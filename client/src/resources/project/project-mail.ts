import type { CallOptions } from '../../http/call.js';
import type { ProjectApi } from '../apis.js';
import type { MailSettings, NewMailSettings, Template, TemplateName } from './project-shapes.js';

const TEMPLATE = '/auth/v1/templates/{name}';

/** The texts of the project's mails; with the service key. */
export class Templates {
  constructor(private readonly api: ProjectApi) {}

  async get(name: TemplateName, { signal }: CallOptions = {}): Promise<Template> {
    return await this.api.get(TEMPLATE, { parameters: { name }, signal });
  }

  /** Replaces a template; the variables are `{{link}} {{token}} {{email}} {{project}}`. */
  async set(
    name: TemplateName,
    { subject, html, text }: Pick<Template, 'subject' | 'html' | 'text'>,
    { signal }: CallOptions = {},
  ): Promise<Template> {
    return await this.api.put(TEMPLATE, { parameters: { name }, body: { subject, html, text }, signal });
  }

  /** Puts the built-in one back. */
  async reset(name: TemplateName, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete(TEMPLATE, { parameters: { name }, signal });
  }
}

/** Through which server the project's mails leave; with the service key. */
export class ProjectMail {
  constructor(private readonly api: ProjectApi) {}

  /** Without the password. @throws ServiceError 404 while nothing is set */
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
}
