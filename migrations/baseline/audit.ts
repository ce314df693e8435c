/**
 * The audit trail. Appending an entry locks the head of its hash chain, so a chain cannot fork, while different chains are
 * written side by side. The database itself refuses whatever else would change the trail.
 */
export const audit = String.raw`

-- The head of each chain.
CREATE TABLE audit_chains (
  id        text   PRIMARY KEY,
  length    bigint NOT NULL,
  prev_hash bytea  NOT NULL,
  head_hash bytea  NOT NULL,
  -- Without it, the MAC of the head is that of the last entry which has one, and goes on from there.
  mac       bytea
);

CREATE TABLE audit_entries (
  -- The order of ids is that of time: lists are read by them.
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
  mac_key     bytea,
  UNIQUE (chain_id, position)
);
CREATE INDEX audit_entries_org_listing ON audit_entries (org_id, id DESC);
CREATE INDEX audit_entries_user_listing ON audit_entries (user_id, id DESC);
-- Of changes of jobs, which are few among many entries. Appending any other entry does not write it.
CREATE INDEX audit_entries_job_listing ON audit_entries (org_id, id DESC) WHERE action LIKE 'job%';

-- Where chains begin whose first entries were deleted. An entry may be deleted once a checkpoint stands for it. That the
-- checkpoint is genuine the database cannot tell; whoever verifies the chain can, since it is sealed.
CREATE TABLE audit_checkpoints (
  chain_id     text   PRIMARY KEY,
  pruned_to    bigint NOT NULL,
  sealed_to    bigint NOT NULL,
  sealed_state bytea  NOT NULL,
  CHECK (pruned_to <= sealed_to)
);

-- Refusals that anyone can repeat are counted.
CREATE TABLE audit_refusals (
  minute   timestamptz NOT NULL,
  chain_id text        NOT NULL,
  action   text        NOT NULL,
  source   text        NOT NULL,
  count    bigint      NOT NULL,
  event    jsonb       NOT NULL,
  PRIMARY KEY (minute, chain_id, action, source)
);

CREATE FUNCTION audit_entries_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are append-only' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE FUNCTION audit_entries_refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM audit_checkpoints WHERE chain_id = OLD.chain_id AND pruned_to >= OLD.position
  ) THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'audit entries are append-only' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR TRUNCATE ON audit_entries
FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_refuse_change();

CREATE TRIGGER audit_entries_kept BEFORE DELETE ON audit_entries
FOR EACH ROW EXECUTE FUNCTION audit_entries_refuse_delete();

CREATE FUNCTION audit_chains_refuse_jump() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.length = 1 AND NEW.prev_hash = decode(repeat('00', 32), 'hex') THEN RETURN NEW; END IF;
  ELSIF NEW.id = OLD.id AND NEW.length = OLD.length + 1 AND NEW.prev_hash = OLD.head_hash THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the head of an audit chain only moves to its next entry'
    USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER audit_chains_step BEFORE INSERT OR UPDATE ON audit_chains
FOR EACH ROW EXECUTE FUNCTION audit_chains_refuse_jump();

CREATE TRIGGER audit_chains_keep BEFORE DELETE OR TRUNCATE ON audit_chains
FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_refuse_change();

CREATE FUNCTION audit_checkpoints_refuse_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.chain_id = OLD.chain_id AND NEW.pruned_to >= OLD.pruned_to AND NEW.sealed_to >= OLD.sealed_to THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the checkpoint of an audit chain only moves on' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER audit_checkpoints_step BEFORE UPDATE ON audit_checkpoints
FOR EACH ROW EXECUTE FUNCTION audit_checkpoints_refuse_return();

CREATE TRIGGER audit_checkpoints_keep BEFORE DELETE OR TRUNCATE ON audit_checkpoints
FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_refuse_change();
`;
