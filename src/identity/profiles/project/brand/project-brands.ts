import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../../audit/index.js';
import { Database, firstRow, rows } from '../../../../platform/database/index.js';
import type { Reader, Tx } from '../../../../platform/database/index.js';
import { Brands, NO_BRAND, toBrandDto } from '../../../brand/index.js';
import type { Brand } from '../../../brand/index.js';
import type { RealmId } from '../../../users/user.repository.js';
import type { SettingsChange } from '../mail/mail-settings.js';
import { nameInMails, ProjectNames } from '../projects.js';

@Injectable()
export class ProjectBrandRepository {
  async find(handle: Tx | Reader, projectId: string): Promise<Brand | null> {
    return await firstRow<Brand>(
      handle,
      `SELECT name, logo_url AS "logoUrl", color, support_url AS "supportUrl" FROM project_brands WHERE project_id = $1`,
      [projectId],
    );
  }

  async put(tx: Tx, projectId: string, { name, logoUrl, color, supportUrl }: Brand): Promise<void> {
    await rows(
      tx,
      `INSERT INTO project_brands (project_id, name, logo_url, color, support_url) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (project_id) DO UPDATE SET
         name = excluded.name, logo_url = excluded.logo_url, color = excluded.color,
         support_url = excluded.support_url`,
      [projectId, name, logoUrl, color, supportUrl],
    );
  }
}

/** The look of each project: what it has set, and its name where it has set none. */
@Injectable()
export class ProjectBrands extends Brands {
  constructor(
    private readonly database: Database,
    private readonly repository: ProjectBrandRepository,
    private readonly projects: ProjectNames,
    private readonly audit: AuditTrail,
  ) {
    super();
  }

  async of(realmId: RealmId): Promise<Brand> {
    const project = await this.projects.findById(realmId);
    if (project === null) return NO_BRAND;
    const brand = await this.settingsOf(realmId);
    return { ...brand, name: brand.name ?? nameInMails(project) };
  }

  async settingsOf(projectId: string): Promise<Brand> {
    return (await this.repository.find(this.database.reader, projectId)) ?? NO_BRAND;
  }

  /** Replaces all of it. */
  async put({ project, actor, origin }: SettingsChange, brand: Brand): Promise<void> {
    await this.database.serialTransaction(project.id, actor, async (tx) => {
      await this.repository.put(tx, project.id, brand);
      const target = { type: 'project', id: project.id };
      await this.audit.append(tx, {
        actor,
        action: 'brand.changed',
        target,
        tenantId: project.id,
        userId: null,
        origin,
        details: { ...toBrandDto(brand) },
      });
    });
  }
}
