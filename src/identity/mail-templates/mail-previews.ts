import { Injectable } from '@nestjs/common';
import type { Language } from '../../platform/languages/index.js';
import type { RenderedMail } from '../../platform/mail/index.js';
import { ServiceError } from '../../http/index.js';
import { Brands } from '../brand/index.js';
import type { Brand } from '../brand/index.js';
import { Messages, UserLanguages } from '../languages/index.js';
import { DEPLOYMENT_REALM } from '../users/user.repository.js';
import type { RealmId } from '../users/user.repository.js';
import { MailRenderer } from './mail-renderer.js';
import { MailTemplates } from './mail-templates.js';
import { templateProblems } from './template-rendering.js';
import type { TemplateValues } from './template-rendering.js';
import { MailTemplateSet } from './template-set.js';
import type { TemplateName, TemplateSource } from './template-set.js';

/** What to show. What is absent is as it is in use. */
export interface PreviewRequest {
  readonly name: TemplateName;
  readonly language: Language | null;
  readonly source: TemplateSource | null;
  readonly brand: Brand | null;
  /** Name of the project, if there is one. */
  readonly project?: string;
}

export interface MailPreview extends RenderedMail {
  readonly language: Language;
}

/** Shows mails with made-up values. Nothing is sent, and no token exists. */
@Injectable()
export class MailPreviews {
  constructor(
    private readonly templates: MailTemplates,
    private readonly renderer: MailRenderer,
    private readonly set: MailTemplateSet,
    private readonly brands: Brands,
    private readonly languages: UserLanguages,
  ) {}

  /** @throws validation_failed with what is wrong in each part of `source` */
  async show(realmId: RealmId, request: PreviewRequest): Promise<MailPreview> {
    const { name, source } = request;
    const details = source === null ? [] : templateProblems(name, source, this.set.variablesOf(name));
    if (details.length > 0) throw new ServiceError('validation_failed', { details });
    const language = this.languages.choose(null, request.language);
    const owner = realmId === DEPLOYMENT_REALM ? null : realmId;
    const template = source ?? (await this.templates.show(owner, name, language));
    const brand = request.brand ?? (await this.brands.of(realmId));
    const letter = { name, language, values: samples(language, request.project ?? 'Acme') };
    return { ...this.renderer.fill(template, letter, brand), language };
  }
}

function samples(language: Language, project: string): TemplateValues {
  const messages = Messages.in(language);
  return {
    link: 'https://example.com/link',
    token: 'sample',
    email: 'ada@example.com',
    project,
    org: 'Acme',
    role: 'member',
    inviter: 'grace@example.com',
    title: messages.text('notice.password_set.title'),
    message: messages.text('notice.password_set.message'),
  };
}
