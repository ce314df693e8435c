import { Injectable } from '@nestjs/common';
import { MailFailedError, TenantSmtp } from '../../../../platform/mail/index.js';
import type { DeliveryAttempt, MailServer, RenderedMail } from '../../../../platform/mail/index.js';
import { AccountMails, mailLink, noticeLetter } from '../../../mails/account-mails.js';
import type { AccountMail, AccountNotice, MailPurpose } from '../../../mails/account-mails.js';
import type { RealmId } from '../../../users/user.repository.js';
import { MailRenderer, MailTemplateSet } from '../../../mail-templates/index.js';
import type { TemplateName } from '../../../mail-templates/index.js';
import { nameInMails, ProjectNames } from '../projects.js';
import { MailSettings } from './mail-settings.js';

/** The template of each purpose, and the page that its link opens, `/auth/v1/pages/<ref>/<page>`. */
const LETTERS: Readonly<
  Partial<Record<MailPurpose, { readonly template: TemplateName; readonly page: string }>>
> = {
  magic_link: { template: 'magic_link', page: 'magic-link' },
  recover: { template: 'recovery', page: 'recover' },
  invite: { template: 'invite', page: 'invite' },
  change_email: { template: 'email_change', page: 'change-email' },
};

/** The mails of the profile, and what their templates can contain. */
export const PROJECT_TEMPLATES = new MailTemplateSet({
  magic_link: ['link', 'token', 'email', 'project'],
  recovery: ['link', 'token', 'email', 'project'],
  invite: ['link', 'token', 'email', 'project'],
  email_change: ['link', 'token', 'email', 'project'],
  notice: ['title', 'message', 'email', 'project'],
});

/** Mails of projects: each through the project's own server, in its own words, to its own pages. */
@Injectable()
export class ProjectMails extends AccountMails {
  constructor(
    private readonly projects: ProjectNames,
    private readonly settings: MailSettings,
    private readonly renderer: MailRenderer,
    private readonly servers: TenantSmtp,
  ) {
    super();
  }

  async canSend(realmId: RealmId, purpose: MailPurpose): Promise<boolean> {
    return LETTERS[purpose] !== undefined && (await this.settings.find(realmId)) !== null;
  }

  async send(realmId: RealmId, mail: AccountMail, attempt: DeliveryAttempt): Promise<string | null> {
    const rendered = await this.render(realmId, mail);
    return await this.servers.send(await this.serverOf(realmId), mail.to, rendered, attempt);
  }

  async canNotify(realmId: RealmId): Promise<boolean> {
    return (await this.settings.find(realmId)) !== null;
  }

  async notify(realmId: RealmId, notice: AccountNotice, attempt: DeliveryAttempt): Promise<string | null> {
    const project = await this.projects.findById(realmId);
    if (project === null) throw new MailFailedError('not configured', true);
    const letter = noticeLetter(notice);
    const values = { ...letter.values, project: nameInMails(project) };
    const rendered = await this.renderer.render(realmId, { ...letter, values });
    return await this.servers.send(await this.serverOf(realmId), notice.to, rendered, attempt);
  }

  /** Whether the project's mail server answers and accepts the credentials. @throws MailFailedError */
  async greet(realmId: RealmId): Promise<void> {
    await this.servers.greet(await this.serverOf(realmId));
  }

  private async render(
    realmId: RealmId,
    { purpose, token, to, baseUrl, language }: AccountMail,
  ): Promise<RenderedMail> {
    const served = LETTERS[purpose];
    const project = await this.projects.findById(realmId);
    if (served === undefined || project === null) throw new MailFailedError('not configured', true);
    const link = mailLink(baseUrl, `${project.ref}/${served.page}`, token);
    const values = { link, token, email: to, project: nameInMails(project) };
    return await this.renderer.render(realmId, { name: served.template, language, values });
  }

  private async serverOf(realmId: RealmId): Promise<MailServer> {
    const server = await this.settings.serverOf(realmId);
    if (server === null) throw new MailFailedError('not configured', true);
    return server;
  }
}
