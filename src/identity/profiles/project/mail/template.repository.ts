import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../../../platform/database/index.js';
import type { Reader, Tx } from '../../../../platform/database/index.js';
import type { TemplateName, TemplateSource } from './built-in-templates.js';

/** The templates that a project has put in place of the built-in ones. */
@Injectable()
export class TemplateRepository {
  async find(handle: Tx | Reader, projectId: string, name: TemplateName): Promise<TemplateSource | null> {
    return await firstRow<TemplateSource>(
      handle,
      'SELECT subject, html, text FROM project_templates WHERE project_id = $1 AND name = $2',
      [projectId, name],
    );
  }

  async put(tx: Tx, projectId: string, name: TemplateName, source: TemplateSource): Promise<void> {
    await rows(
      tx,
      `INSERT INTO project_templates (project_id, name, subject, html, text) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (project_id, name) DO UPDATE SET
         subject = excluded.subject, html = excluded.html, text = excluded.text, updated_at = now()`,
      [projectId, name, source.subject, source.html, source.text],
    );
  }

  /** False when the built-in one was in place already. */
  async delete(tx: Tx, projectId: string, name: TemplateName): Promise<boolean> {
    const deleted = await rows(
      tx,
      'DELETE FROM project_templates WHERE project_id = $1 AND name = $2 RETURNING name',
      [projectId, name],
    );
    return deleted.length === 1;
  }
}
