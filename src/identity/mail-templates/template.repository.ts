import { Injectable } from '@nestjs/common';
import type { Language } from '../../platform/languages/index.js';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { TemplateName, TemplateSource } from './template-set.js';

/** Whose template, which one, and for which language; null is for all that have none of their own. */
export interface TemplateKey {
  /** Null for the deployment. */
  readonly projectId: string | null;
  readonly name: TemplateName;
  readonly language: Language | null;
}

/** A stored template, and for which language it is. */
export interface StoredTemplate extends TemplateSource {
  readonly language: Language | null;
}

/** The templates that stand in place of the built-in ones. */
@Injectable()
export class TemplateRepository {
  /** The one for the language, else the one for all. */
  async find(
    handle: Tx | Reader,
    { projectId, name, language }: TemplateKey,
  ): Promise<StoredTemplate | null> {
    return await firstRow<StoredTemplate>(
      handle,
      `SELECT nullif(locale, '') AS language, subject, html, text FROM mail_templates
       WHERE project_id IS NOT DISTINCT FROM $1::uuid AND name = $2 AND locale IN ('', $3)
       ORDER BY locale DESC LIMIT 1`,
      [projectId, name, language ?? ''],
    );
  }

  async put(tx: Tx, { projectId, name, language }: TemplateKey, source: TemplateSource): Promise<void> {
    const { subject, html, text } = source;
    await rows(
      tx,
      `INSERT INTO mail_templates (project_id, name, locale, subject, html, text) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (project_id, name, locale) DO UPDATE SET
         subject = excluded.subject, html = excluded.html, text = excluded.text, updated_at = now()`,
      [projectId, name, language ?? '', subject, html, text],
    );
  }

  /** False when there was none. */
  async delete(tx: Tx, { projectId, name, language }: TemplateKey): Promise<boolean> {
    const deleted = await rows(
      tx,
      `DELETE FROM mail_templates
       WHERE project_id IS NOT DISTINCT FROM $1::uuid AND name = $2 AND locale = $3 RETURNING name`,
      [projectId, name, language ?? ''],
    );
    return deleted.length === 1;
  }

  /** Which templates stand in place of built-in ones. */
  async list(
    handle: Tx | Reader,
    projectId: string | null,
  ): Promise<{ readonly name: string; readonly language: Language | null }[]> {
    return await rows(
      handle,
      `SELECT name, nullif(locale, '') AS language FROM mail_templates WHERE project_id IS NOT DISTINCT FROM $1::uuid
       ORDER BY name, language NULLS FIRST`,
      [projectId],
    );
  }
}
