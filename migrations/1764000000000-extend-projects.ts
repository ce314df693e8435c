import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a project says of its mails, and whom it has invited. */
export class ExtendProjects1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Only what replaces a built-in template: resetting one deletes its row.
    await runner.query(`
      CREATE TABLE project_templates (
        project_id uuid        NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        name       text        NOT NULL CHECK (name IN ('magic_link', 'recovery', 'invite')),
        subject    text        NOT NULL,
        html       text        NOT NULL,
        text       text        NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, name)
      )`);
    await runner.query(`
      CREATE TABLE project_mail_settings (
        project_id      uuid        PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
        host            text        NOT NULL,
        port            integer     NOT NULL CHECK (port BETWEEN 1 AND 65535),
        username        text,
        sealed_password bytea,
        sender          text        NOT NULL,
        tls             text        NOT NULL CHECK (tls IN ('starttls', 'tls', 'none')),
        updated_at      timestamptz NOT NULL DEFAULT now(),
        CHECK ((username IS NULL) = (sealed_password IS NULL))
      )`);
    // The user of a pending invitation exists already. sent_at is null until the mail server took the mail: such
    // a row was left by an invitation that was cut short, and stands in nobody's way.
    await runner.query(`
      CREATE TABLE project_invitations (
        user_id    uuid        PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        sent_at    timestamptz
      )`);
    await runner.query('CREATE INDEX project_invitations_age ON project_invitations (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['project_invitations', 'project_mail_settings', 'project_templates'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
