import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../../audit/index.js';
import { Database } from '../../../../platform/database/index.js';
import type { Tx } from '../../../../platform/database/index.js';
import { ServiceError } from '../../../../http/index.js';
import { BUILT_IN_TEMPLATES, TEMPLATE_NAMES } from './built-in-templates.js';
import type { TemplateName, TemplateSource } from './built-in-templates.js';
import type { SettingsChange } from './mail-settings.js';
import { templateProblems } from './template-problems.js';
import { TemplateRepository } from './template.repository.js';

/** A template as it is in use. */
export interface TemplateInUse extends TemplateSource {
  readonly name: TemplateName;
  readonly isBuiltIn: boolean;
}

/** @throws template_not_found */
function requireName(name: string): TemplateName {
  const known = TEMPLATE_NAMES.find((candidate) => candidate === name);
  if (known === undefined) throw new ServiceError('template_not_found');
  return known;
}

/** The templates of each project: its own, or the built-in ones. */
@Injectable()
export class Templates {
  constructor(
    private readonly database: Database,
    private readonly repository: TemplateRepository,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws template_not_found */
  async show(projectId: string, wanted: string): Promise<TemplateInUse> {
    const name = requireName(wanted);
    const own = await this.repository.find(this.database.reader, projectId, name);
    return { name, ...(own ?? BUILT_IN_TEMPLATES[name]), isBuiltIn: own === null };
  }

  /** @throws template_not_found, validation_failed with what is wrong in each part */
  async put(change: SettingsChange, wanted: string, source: TemplateSource): Promise<TemplateInUse> {
    const name = requireName(wanted);
    const details = templateProblems(source);
    if (details.length > 0) throw new ServiceError('validation_failed', { details });
    await this.database.serialTransaction(change.project.id, change.actor, async (tx) => {
      await this.repository.put(tx, change.project.id, name, source);
      await this.record(tx, change, 'template.changed', name);
    });
    return { name, ...source, isBuiltIn: false };
  }

  /** Puts the built-in template back in place, if it is not. @throws template_not_found */
  async reset(change: SettingsChange, wanted: string): Promise<void> {
    const name = requireName(wanted);
    await this.database.serialTransaction(change.project.id, change.actor, async (tx) => {
      if (await this.repository.delete(tx, change.project.id, name))
        await this.record(tx, change, 'template.reset', name);
    });
  }

  private async record(
    tx: Tx,
    { project, actor, origin }: SettingsChange,
    action: string,
    name: TemplateName,
  ): Promise<void> {
    const target = { type: 'template', id: name };
    await this.audit.append(tx, { actor, action, target, orgId: project.id, userId: null, origin });
  }
}
