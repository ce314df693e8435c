import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The names of hooks are unique in their scope: the whole deployment (the nil UUID), or a project. */
export class ScopeHooks1763960002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE hooks
        ADD COLUMN scope uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
        DROP CONSTRAINT hooks_pkey`);
    await runner.query('ALTER TABLE hooks ADD CONSTRAINT hooks_pkey PRIMARY KEY (scope, name)');
  }

  /** Hooks of projects are unknown to the earlier release, and may have one name. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM hooks WHERE scope <> '00000000-0000-0000-0000-000000000000'`);
    await runner.query('ALTER TABLE hooks DROP COLUMN scope');
    await runner.query('ALTER TABLE hooks ADD CONSTRAINT hooks_pkey PRIMARY KEY (name)');
  }
}
