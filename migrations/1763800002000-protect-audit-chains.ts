import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The heads of the audit chains move by one entry at a time and in no other way, by the database's own
 * refusal; and the trail is read by id, which is the order of time.
 */
export class ProtectAuditChains1763800002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION audit_chains_refuse_jump() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          IF NEW.length = 1 AND NEW.prev_hash = decode(repeat('00', 32), 'hex') THEN RETURN NEW; END IF;
        ELSIF NEW.id = OLD.id AND NEW.length = OLD.length + 1 AND NEW.prev_hash = OLD.head_hash THEN
          RETURN NEW;
        END IF;
        RAISE EXCEPTION 'the head of an audit chain only moves to its next entry'
          USING ERRCODE = 'insufficient_privilege';
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_chains_step BEFORE INSERT OR UPDATE ON audit_chains
      FOR EACH ROW EXECUTE FUNCTION audit_chains_refuse_jump()`);
    await runner.query(`
      CREATE TRIGGER audit_chains_keep BEFORE DELETE OR TRUNCATE ON audit_chains
      FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_refuse_change()`);
    await runner.query(`CREATE INDEX audit_entries_org_listing ON audit_entries (org_id, id DESC)`);
    await runner.query(`CREATE INDEX audit_entries_user_listing ON audit_entries (user_id, id DESC)`);
    await runner.query(`DROP INDEX audit_entries_org`);
    await runner.query(`DROP INDEX audit_entries_user`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX audit_entries_org ON audit_entries (org_id, at DESC, id DESC)`);
    await runner.query(`CREATE INDEX audit_entries_user ON audit_entries (user_id, at DESC, id DESC)`);
    await runner.query(`DROP INDEX audit_entries_org_listing`);
    await runner.query(`DROP INDEX audit_entries_user_listing`);
    await runner.query(`DROP TRIGGER audit_chains_keep ON audit_chains`);
    await runner.query(`DROP TRIGGER audit_chains_step ON audit_chains`);
    await runner.query(`DROP FUNCTION audit_chains_refuse_jump()`);
  }
}
