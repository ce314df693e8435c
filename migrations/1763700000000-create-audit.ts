import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The audit trail. `audit_chains` holds the head of each hash chain: appending locks that one row, so a
 * chain cannot fork, while different chains are written side by side. The entries are append-only, by
 * the database's own refusal and not by the program's manners.
 */
export class CreateAudit1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_chains (
        id        text   PRIMARY KEY,
        length    bigint NOT NULL,
        prev_hash bytea  NOT NULL,
        head_hash bytea  NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE audit_entries (
        id          uuid        PRIMARY KEY,
        chain_id    text        NOT NULL,
        position    bigint      NOT NULL,
        at          timestamptz NOT NULL,
        actor_type  text        NOT NULL,
        actor_id    text,
        action      text        NOT NULL,
        target_type text,
        target_id   text,
        org_id      uuid,
        user_id     uuid,
        ip          text,
        user_agent  text,
        details     jsonb       NOT NULL,
        body        text        NOT NULL,
        prev_hash   bytea       NOT NULL,
        hash        bytea       NOT NULL,
        UNIQUE (chain_id, position)
      )`);
    await runner.query(`CREATE INDEX audit_entries_org ON audit_entries (org_id, at DESC, id DESC)`);
    await runner.query(`CREATE INDEX audit_entries_user ON audit_entries (user_id, at DESC, id DESC)`);
    await runner.query(`
      CREATE FUNCTION audit_entries_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'audit entries are append-only' USING ERRCODE = 'insufficient_privilege';
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
      FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_refuse_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE audit_entries`);
    await runner.query(`DROP FUNCTION audit_entries_refuse_change()`);
    await runner.query(`DROP TABLE audit_chains`);
  }
}
