import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Organizations with their roles and members. The built-in roles are rows of each organization like the
 * custom ones, so that one foreign key keeps every member's role existing, whatever runs at the same time.
 */
export class CreateOrganizations1763700002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organizations (
        id         uuid        PRIMARY KEY,
        slug       text        NOT NULL UNIQUE,
        name       text        NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE roles (
        org_id      uuid        NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
        name        text        NOT NULL,
        permissions text[]      NOT NULL,
        builtin     boolean     NOT NULL DEFAULT false,
        created_at  timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (org_id, name)
      )`);
    await runner.query(`
      CREATE TABLE members (
        org_id    uuid        NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
        user_id   uuid        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        role      text        NOT NULL,
        joined_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (org_id, user_id),
        FOREIGN KEY (org_id, role) REFERENCES roles (org_id, name)
      )`);
    await runner.query(`CREATE INDEX members_user ON members (user_id)`);
    await runner.query(`CREATE INDEX members_role ON members (org_id, role)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE members`);
    await runner.query(`DROP TABLE roles`);
    await runner.query(`DROP TABLE organizations`);
  }
}
