import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Heads of audit chains carry a MAC, chains may begin at a checkpoint, and refusals that anyone can repeat are counted.
 *
 * - The release before writes neither `mac` nor `mac_key`: the MAC of a head then is that of the last entry which has
 *   one, and goes on from there.
 * - An entry may be deleted once a checkpoint stands for it. That the checkpoint is genuine the database cannot tell;
 *   whoever verifies the chain can, since it is sealed.
 */
export class SealAuditChains1764160000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_chains ADD COLUMN mac bytea');
    await runner.query('ALTER TABLE audit_entries ADD COLUMN mac_key bytea');
    await runner.query(`
      CREATE TABLE audit_checkpoints (
        chain_id     text   PRIMARY KEY,
        pruned_to    bigint NOT NULL,
        sealed_to    bigint NOT NULL,
        sealed_state bytea  NOT NULL,
        CHECK (pruned_to <= sealed_to)
      )`);
    await runner.query(`
      CREATE FUNCTION audit_checkpoints_refuse_return() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.chain_id = OLD.chain_id AND NEW.pruned_to >= OLD.pruned_to AND NEW.sealed_to >= OLD.sealed_to THEN
          RETURN NEW;
        END IF;
        RAISE EXCEPTION 'the checkpoint of an audit chain only moves on' USING ERRCODE = 'insufficient_privilege';
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_checkpoints_step BEFORE UPDATE ON audit_checkpoints
      FOR EACH ROW EXECUTE FUNCTION audit_checkpoints_refuse_return()`);
    await runner.query(`
      CREATE TRIGGER audit_checkpoints_keep BEFORE DELETE OR TRUNCATE ON audit_checkpoints
      FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_refuse_change()`);
    await runner.query(`
      CREATE FUNCTION audit_entries_refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (
          SELECT FROM audit_checkpoints WHERE chain_id = OLD.chain_id AND pruned_to >= OLD.position
        ) THEN RETURN OLD; END IF;
        RAISE EXCEPTION 'audit entries are append-only' USING ERRCODE = 'insufficient_privilege';
      END $$`);
    await runner.query('DROP TRIGGER audit_entries_append_only ON audit_entries');
    await runner.query(`
      CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR TRUNCATE ON audit_entries
      FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_refuse_change()`);
    await runner.query(`
      CREATE TRIGGER audit_entries_kept BEFORE DELETE ON audit_entries
      FOR EACH ROW EXECUTE FUNCTION audit_entries_refuse_delete()`);
    await runner.query(`
      CREATE TABLE audit_refusals (
        minute   timestamptz NOT NULL,
        chain_id text        NOT NULL,
        action   text        NOT NULL,
        source   text        NOT NULL,
        count    bigint      NOT NULL,
        event    jsonb       NOT NULL,
        PRIMARY KEY (minute, chain_id, action, source)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_refusals');
    await runner.query('DROP TRIGGER audit_entries_kept ON audit_entries');
    await runner.query('DROP TRIGGER audit_entries_append_only ON audit_entries');
    await runner.query(`
      CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
      FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_refuse_change()`);
    await runner.query('DROP FUNCTION audit_entries_refuse_delete()');
    await runner.query('DROP TABLE audit_checkpoints');
    await runner.query('DROP FUNCTION audit_checkpoints_refuse_return()');
    await runner.query('ALTER TABLE audit_entries DROP COLUMN mac_key');
    await runner.query('ALTER TABLE audit_chains DROP COLUMN mac');
  }
}
