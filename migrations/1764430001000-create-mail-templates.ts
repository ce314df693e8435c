import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Templates that stand in place of the built-in ones, those of the deployment and those of a project for one language.
 *
 * - `project_id`: null for the deployment. A project's template for all languages stays in `project_templates`, which the
 *   previous release reads and writes.
 * - `locale`: the language; empty for all languages without their own.
 */
export class CreateMailTemplates1764430001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mail_templates (
        project_id uuid        REFERENCES projects (id) ON DELETE CASCADE,
        name       text        NOT NULL,
        locale     text        NOT NULL,
        subject    text        NOT NULL,
        html       text        NOT NULL,
        text       text        NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT mail_templates_key UNIQUE NULLS NOT DISTINCT (project_id, name, locale)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mail_templates');
  }
}
