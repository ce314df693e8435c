import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the mails and pages of a project look. Without a row, or where a column is null, as for a project without a brand. */
export class CreateProjectBrands1764430002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE project_brands (
        project_id  uuid PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
        name        text,
        logo_url    text,
        color       text,
        support_url text
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE project_brands');
  }
}
