import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `require_second_factor`: whether an organization is closed to members whose account has no second factor. */
export class RequireSecondFactors1764350000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE organizations ADD COLUMN require_second_factor boolean NOT NULL DEFAULT false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN require_second_factor');
  }
}
