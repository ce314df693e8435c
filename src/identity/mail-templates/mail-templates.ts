import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import type { AuditContext } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { Language } from '../../platform/languages/index.js';
import { ServiceError } from '../../http/index.js';
import { builtInTemplate } from './built-in-templates.js';
import { templateProblems } from './template-rendering.js';
import { MailTemplateSet } from './template-set.js';
import type { TemplateName, TemplateSource, TemplateVariable } from './template-set.js';
import { TemplateRepository } from './template.repository.js';
import type { TemplateKey } from './template.repository.js';

/** A template as it is in use. */
export interface TemplateInUse extends TemplateSource {
  readonly name: TemplateName;
  readonly isBuiltIn: boolean;
}

/** A template that the profile has. */
export interface TemplateListing {
  readonly name: TemplateName;
  readonly variables: readonly TemplateVariable[];
  /** Where one stands in place of the built-in one; null is for all languages without their own. */
  readonly replacedIn: readonly (Language | null)[];
}

/** Whose templates: a project's, or with null the deployment's. */
export type TemplateOwner = string | null;

/** The templates of each project, or of the deployment: their own, or the built-in ones. */
@Injectable()
export class MailTemplates {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly set: MailTemplateSet,
    private readonly database: Database,
    private readonly repository: TemplateRepository,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws template_not_found */
  nameOf(wanted: string): TemplateName {
    const name = this.set.nameOf(wanted);
    if (name === null) throw new ServiceError('template_not_found');
    return name;
  }

  async list(owner: TemplateOwner): Promise<TemplateListing[]> {
    const own = await this.repository.list(this.database.reader, owner);
    return this.set.names.map((name) => ({
      name,
      variables: this.set.variablesOf(name),
      replacedIn: own.filter((one) => one.name === name).map(({ language }) => language),
    }));
  }

  /** What mails in the language are made from. @param language null for those without a template of their own */
  async show(owner: TemplateOwner, name: TemplateName, language: Language | null): Promise<TemplateInUse> {
    const own = await this.repository.find(this.database.reader, { projectId: owner, name, language });
    if (own !== null) return { name, ...partsOf(own), isBuiltIn: false };
    const builtIn = builtInTemplate(
      name,
      language ?? this.config.identity.defaultLocale,
      this.set.variablesOf(name),
    );
    return { name, ...builtIn, isBuiltIn: true };
  }

  /** @throws validation_failed with what is wrong in each part */
  async put(key: TemplateKey, source: TemplateSource, by: AuditContext): Promise<TemplateInUse> {
    const details = templateProblems(key.name, source, this.set.variablesOf(key.name));
    if (details.length > 0) throw new ServiceError('validation_failed', { details });
    await this.changing(key, by, async (tx) => {
      await this.repository.put(tx, key, source);
      await this.record(tx, key, 'template.changed', by);
    });
    return { name: key.name, ...source, isBuiltIn: false };
  }

  /** Puts the built-in template back in place, if it is not. */
  async reset(key: TemplateKey, by: AuditContext): Promise<void> {
    await this.changing(key, by, async (tx) => {
      if (await this.repository.delete(tx, key)) await this.record(tx, key, 'template.reset', by);
    });
  }

  private async changing(
    { projectId }: TemplateKey,
    { actor }: AuditContext,
    work: (tx: Tx) => Promise<void>,
  ): Promise<void> {
    await this.database.serialTransaction(projectId ?? 'templates', actor, work);
  }

  private async record(
    tx: Tx,
    { projectId, name, language }: TemplateKey,
    action: string,
    { actor, origin }: AuditContext,
  ): Promise<void> {
    const target = { type: 'template', id: name };
    const details = language === null ? {} : { locale: language };
    await this.audit.append(tx, {
      actor,
      action,
      target,
      tenantId: projectId,
      userId: null,
      origin,
      details,
    });
  }
}

function partsOf({ subject, html, text }: TemplateSource): TemplateSource {
  return { subject, html, text };
}
