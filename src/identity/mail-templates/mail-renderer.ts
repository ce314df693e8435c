import { Injectable } from '@nestjs/common';
import type { Language } from '../../platform/languages/index.js';
import type { RenderedMail } from '../../platform/mail/index.js';
import { Brands, buttonColors } from '../brand/index.js';
import type { Brand } from '../brand/index.js';
import { DEPLOYMENT_REALM } from '../users/user.repository.js';
import type { RealmId } from '../users/user.repository.js';
import { MailTemplates } from './mail-templates.js';
import { renderTemplate, templateFailure } from './template-rendering.js';
import type { TemplateValues } from './template-rendering.js';
import { MailTemplateSet } from './template-set.js';
import type { TemplateName, TemplateSource } from './template-set.js';

/** Which mail, and in which language. */
export interface Letter {
  readonly name: TemplateName;
  readonly language: Language;
  readonly values: TemplateValues;
}

/** What mails say: the template in use for their language, with the brand of the realm. */
@Injectable()
export class MailRenderer {
  constructor(
    private readonly templates: MailTemplates,
    private readonly set: MailTemplateSet,
    private readonly brands: Brands,
  ) {}

  /** @throws MailFailedError, for good, where the template cannot be used */
  async render(realmId: RealmId, letter: Letter): Promise<RenderedMail> {
    const owner = realmId === DEPLOYMENT_REALM ? null : realmId;
    const template = await this.templates.show(owner, letter.name, letter.language);
    try {
      return this.fill(template, letter, await this.brands.of(realmId));
    } catch (error) {
      return templateFailure(letter.name, error);
    }
  }

  /** A template with its values, whether or not it is in use. @throws TemplateError */
  fill(template: TemplateSource, { name, language, values }: Letter, brand: Brand): RenderedMail {
    const { color, textColor } = buttonColors(brand);
    return renderTemplate(template, this.set.variablesOf(name), {
      ...values,
      locale: language,
      brand: brand.name ?? '',
      logo_url: brand.logoUrl ?? '',
      color,
      text_color: textColor,
      support_url: brand.supportUrl ?? '',
    });
  }
}
