import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What projects demand of sign-ins.
 *
 * - `sign_in_policies`: whether the accounts of a realm must have a second factor. The statement that opens a session reads
 *   it, so that none goes past it. Only the realms of projects have a row.
 * - `project_relying_parties`: to whom the passkeys of a project belong, where the project says so itself.
 * - `second_factor_challenges.kind`: an `enrolment` adds the first factor of its account in place of asking for one. The previous release completes none of these: it asks for a factor, which the account does not have.
 */
export class CreateSignInPolicies1764400001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sign_in_policies (
        realm_id              uuid    PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
        require_second_factor boolean NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE project_relying_parties (
        project_id uuid   PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
        rp_id      text   NOT NULL,
        rp_name    text   NOT NULL,
        origins    text[] NOT NULL
      )`);
    await runner.query(`
      ALTER TABLE second_factor_challenges
        ADD COLUMN kind text NOT NULL DEFAULT 'factor' CHECK (kind IN ('factor', 'enrolment'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM second_factor_challenges WHERE kind = 'enrolment'`);
    await runner.query('ALTER TABLE second_factor_challenges DROP COLUMN kind');
    await runner.query('DROP TABLE project_relying_parties, sign_in_policies');
  }
}
