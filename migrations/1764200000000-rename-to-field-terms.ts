import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  ['tenant_rooms', 'tenant_concurrency'],
  ['job_rooms', 'job_concurrency'],
  ['mail_turns', 'mail_cooldowns'],
] as const;
const COLUMNS = [
  ['runs', 'parked', 'throttled'],
  ['runs', 'parked_by_job', 'throttled_by_job'],
  ['tenant_concurrency', 'parked_at', 'throttled_at'],
] as const;
const INDEXES = [
  ['runs_parked', 'runs_throttled'],
  ['runs_parked_by_job', 'runs_throttled_by_job'],
  ['tenant_rooms_pkey', 'tenant_concurrency_pkey'],
  ['job_rooms_pkey', 'job_concurrency_pkey'],
  ['mail_turns_pkey', 'mail_cooldowns_pkey'],
] as const;

/**
 * Gives tables and columns the field's terms (docs/glossary.md). A rename changes the catalog alone, so it takes no
 * longer for a large table. Programs of before this commit cannot run beside it: nothing has been released yet.
 */
export class RenameToFieldTerms1764200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [from, to] of TABLES) await runner.query(`ALTER TABLE ${from} RENAME TO ${to}`);
    for (const [table, from, to] of COLUMNS)
      await runner.query(`ALTER TABLE ${table} RENAME COLUMN ${from} TO ${to}`);
    for (const [from, to] of INDEXES) await runner.query(`ALTER INDEX ${from} RENAME TO ${to}`);
    await runner.query(
      `COMMENT ON TABLE tenant_concurrency IS 'Running runs of each tenant, under max_org_concurrent_runs'`,
    );
    await runner.query(
      `COMMENT ON TABLE job_concurrency IS 'Running runs of each job that has max_concurrent_runs'`,
    );
    await runner.query(
      `COMMENT ON COLUMN runs.throttled IS 'Waits for a free concurrency slot of its tenant or job'`,
    );
    await runner.query(`COMMENT ON TABLE mail_cooldowns IS 'When an address was last sent a mail of a kind'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [from, to] of INDEXES) await runner.query(`ALTER INDEX ${to} RENAME TO ${from}`);
    for (const [table, from, to] of COLUMNS)
      await runner.query(`ALTER TABLE ${table} RENAME COLUMN ${to} TO ${from}`);
    for (const [from, to] of TABLES) await runner.query(`ALTER TABLE ${to} RENAME TO ${from}`);
  }
}
