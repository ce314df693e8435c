import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What quotas count is found without a look at what does not count: invitations that have ended or expired, keys
 * that were revoked or have expired, and invitations of other projects.
 *
 * `project_invitations.realm_id` is null where the release before made the row: those are not counted, and are gone
 * within the week that an invitation lives.
 */
export class CountInvitations1764120000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX invitations_pending ON invitations (org_id, expires_at) WHERE status = 'pending'`,
    );
    await runner.query(
      'CREATE INDEX api_keys_unrevoked ON api_keys (org_id, expires_at) WHERE revoked_at IS NULL',
    );
    await runner.query('ALTER TABLE project_invitations ADD COLUMN realm_id uuid');
    await runner.query(`
      UPDATE project_invitations invitation SET realm_id = owner.realm_id
      FROM users owner WHERE owner.id = invitation.user_id`);
    await runner.query('CREATE INDEX project_invitations_realm ON project_invitations (realm_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE project_invitations DROP COLUMN realm_id');
    await runner.query('DROP INDEX invitations_pending, api_keys_unrevoked');
  }
}
