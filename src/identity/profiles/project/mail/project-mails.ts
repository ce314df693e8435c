import { Injectable } from '@nestjs/common';
import { nameProblem } from '../../../../http/index.js';
import { MailFailedError, renderMail, TenantSmtp } from '../../../../platform/mail/index.js';
import type { Handover, MailServer, RenderedMail } from '../../../../platform/mail/index.js';
import { AccountMails, mailLink, NOTICES } from '../../../mail-outbox/account-mails.js';
import type { AccountMail, Notice } from '../../../mail-outbox/account-mails.js';
import type { TokenPurpose } from '../../../one-time-tokens/one-time-tokens.js';
import type { RealmId } from '../../../users/user.repository.js';
import { ProjectNames } from '../projects.js';
import type { TemplateName } from './built-in-templates.js';
import { MailSettings } from './mail-settings.js';
import { renderTemplate } from './template-problems.js';
import { Templates } from './templates.js';

/** The template of each purpose, and the page that its link opens, `/auth/v1/pages/<ref>/<page>`. */
const LETTERS: Readonly<
  Partial<Record<TokenPurpose, { readonly template: TemplateName; readonly page: string }>>
> = {
  magic_link: { template: 'magic_link', page: 'magic-link' },
  recover: { template: 'recovery', page: 'recover' },
  invite: { template: 'invite', page: 'invite' },
};

/** Mails of projects: each through the project's own server, in its own words, to its own pages. */
@Injectable()
export class ProjectMails extends AccountMails {
  constructor(
    private readonly projects: ProjectNames,
    private readonly settings: MailSettings,
    private readonly templates: Templates,
    private readonly servers: TenantSmtp,
  ) {
    super();
  }

  async canSend(realmId: RealmId, purpose: TokenPurpose): Promise<boolean> {
    return LETTERS[purpose] !== undefined && (await this.settings.find(realmId)) !== null;
  }

  async send(realmId: RealmId, mail: AccountMail, handover: Handover): Promise<void> {
    const rendered = await this.render(realmId, mail);
    await this.servers.send(await this.serverOf(realmId), mail.to, rendered, handover);
  }

  async canNotify(realmId: RealmId): Promise<boolean> {
    return (await this.settings.find(realmId)) !== null;
  }

  async notify(realmId: RealmId, to: string, notice: Notice, handover: Handover): Promise<void> {
    const variables = { ...NOTICES[notice], email: to };
    const rendered = await renderMail({ to, template: 'notice', variables });
    await this.servers.send(await this.serverOf(realmId), to, rendered, handover);
  }

  /** Whether the project's mail server answers and accepts the credentials. @throws MailFailedError */
  async greet(realmId: RealmId): Promise<void> {
    await this.servers.greet(await this.serverOf(realmId));
  }

  private async render(
    realmId: RealmId,
    { purpose, token, to, baseUrl }: AccountMail,
  ): Promise<RenderedMail> {
    const letter = LETTERS[purpose];
    const project = await this.projects.findById(realmId);
    if (letter === undefined || project === null) throw new MailFailedError('not configured', true);
    const link = mailLink(baseUrl, `${project.ref}/${letter.page}`, token);
    const template = await this.templates.show(realmId, letter.template);
    // Names from before links in names were refused must not reach strangers.
    const name = nameProblem(project.name) === null ? project.name : project.ref;
    return renderTemplate(template, { link, token, email: to, project: name });
  }

  private async serverOf(realmId: RealmId): Promise<MailServer> {
    const server = await this.settings.serverOf(realmId);
    if (server === null) throw new MailFailedError('not configured', true);
    return server;
  }
}
