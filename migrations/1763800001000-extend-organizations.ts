import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Former slugs, invitations and API keys of organizations. */
export class ExtendOrganizations1763800001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A former slug leads to its organization, and nobody else may have it, until `reserved_until`.
    await runner.query(`
      CREATE TABLE former_slugs (
        slug           text        PRIMARY KEY,
        org_id         uuid        NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
        reserved_until timestamptz NOT NULL
      )`);
    await runner.query(`CREATE INDEX former_slugs_org ON former_slugs (org_id)`);
    await runner.query(`CREATE INDEX members_listing ON members (org_id, joined_at DESC, user_id DESC)`);
    await runner.query(`
      CREATE TABLE invitations (
        id              uuid        PRIMARY KEY,
        org_id          uuid        NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
        email           text        NOT NULL,
        role            text        NOT NULL,
        inviter_type    text        NOT NULL CHECK (inviter_type IN ('user', 'api_key')),
        inviter_id      text        NOT NULL,
        status          text        NOT NULL CHECK (status IN ('pending', 'accepted', 'revoked', 'replaced')),
        token_hash      bytea       NOT NULL UNIQUE,
        emailed         boolean     NOT NULL DEFAULT false,
        created_at      timestamptz NOT NULL DEFAULT now(),
        expires_at      timestamptz NOT NULL,
        ended_at        timestamptz,
        CHECK ((status = 'pending') = (ended_at IS NULL))
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX invitations_one_pending ON invitations (org_id, email) WHERE status = 'pending'`,
    );
    await runner.query(`CREATE INDEX invitations_listing ON invitations (org_id, id DESC)`);
    await runner.query(`
      CREATE TABLE api_keys (
        id           text        PRIMARY KEY,
        org_id       uuid        NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
        name         text        NOT NULL,
        secret_hash  bytea       NOT NULL,
        permissions  text[]      NOT NULL,
        creator_type text        NOT NULL CHECK (creator_type IN ('user', 'api_key')),
        created_by   text        NOT NULL,
        created_at   timestamptz NOT NULL DEFAULT now(),
        expires_at   timestamptz,
        last_used_at timestamptz,
        revoked_at   timestamptz
      )`);
    await runner.query(`CREATE INDEX api_keys_listing ON api_keys (org_id, created_at DESC, id DESC)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE api_keys`);
    await runner.query(`DROP TABLE invitations`);
    await runner.query(`DROP INDEX members_listing`);
    await runner.query(`DROP TABLE former_slugs`);
  }
}
