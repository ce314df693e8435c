import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Projects and the hosts that name them. Of the two keys of a project only their `jti` and time are kept: they are
 * signed anew with the project's private key, which lies outside the database. Another `jti` is another key.
 */
export class CreateProjects1763960000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE projects (
        id                uuid        PRIMARY KEY,
        ref               text        NOT NULL CONSTRAINT projects_ref_key UNIQUE
                          CHECK (ref ~ '^[a-z][a-z0-9-]{2,39}$'),
        name              text        NOT NULL,
        anon_key_id       uuid        NOT NULL,
        anon_key_at       timestamptz NOT NULL,
        service_key_id    uuid        NOT NULL,
        service_key_at    timestamptz NOT NULL,
        created_at        timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE project_hosts (
        host       text    CONSTRAINT project_hosts_pkey PRIMARY KEY,
        project_id uuid    NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        position   integer NOT NULL
      )`);
    await runner.query('CREATE INDEX project_hosts_project ON project_hosts (project_id, position)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE project_hosts');
    await runner.query('DROP TABLE projects');
  }
}
