import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Jobs, runs and their attempts. `runs` is the truth; whatever Redis holds is a hint to look here.
 *
 * - A run copies what it needs of its job, so that a job edited or deleted meanwhile changes no run that
 *   was accepted, and claiming reads one row.
 * - `fence` grows with each claim. Whoever writes an outcome names the fence it claimed with.
 * - `parked` says that a worker came for the run while its tenant had no room; whoever leaves room calls it.
 * - `tenant_rooms.running` counts the tenant's running runs. It changes only in the statement that moves
 *   a run into or out of `running`, so it cannot drift from the rows.
 */
export class CreateJobs1763700003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE jobs (
        tenant_id     uuid        NOT NULL,
        id            text        NOT NULL,
        name          text        NOT NULL,
        description   text,
        handler       text        NOT NULL,
        timeout_ms    integer     NOT NULL,
        retries       integer     NOT NULL,
        retry_backoff jsonb       NOT NULL,
        triggers      jsonb       NOT NULL,
        created_at    timestamptz NOT NULL DEFAULT now(),
        updated_at    timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, id)
      )`);
    await runner.query(`
      CREATE TABLE tenant_rooms (
        tenant_id uuid    PRIMARY KEY,
        running   integer NOT NULL DEFAULT 0 CHECK (running >= 0)
      )`);
    await runner.query(`
      CREATE TABLE workers (
        id           uuid        PRIMARY KEY,
        started_at   timestamptz NOT NULL DEFAULT now(),
        heartbeat_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE runs (
        id              text        PRIMARY KEY,
        tenant_id       uuid        NOT NULL,
        job_id          text        NOT NULL,
        status          text        NOT NULL
                        CHECK (status IN ('queued', 'running', 'retrying', 'completed', 'failed', 'cancelled')),
        trigger         jsonb       NOT NULL,
        payload         json        NOT NULL,
        handler         text        NOT NULL,
        timeout_ms      integer     NOT NULL,
        retry_backoff   jsonb       NOT NULL,
        attempt         integer     NOT NULL DEFAULT 0,
        failures        integer     NOT NULL DEFAULT 0,
        losses          integer     NOT NULL DEFAULT 0,
        max_attempts    integer     NOT NULL,
        fence           integer     NOT NULL DEFAULT 0,
        parked          boolean     NOT NULL DEFAULT false,
        worker_id       uuid,
        due_at          timestamptz NOT NULL,
        scheduled_for   timestamptz,
        created_at      timestamptz NOT NULL DEFAULT now(),
        started_at      timestamptz,
        completed_at    timestamptz,
        retry_of        text,
        result          json,
        error_code      text,
        error_message   text,
        trace_parent    text,
        CHECK ((status = 'running') = (worker_id IS NOT NULL)),
        CHECK ((status IN ('completed', 'failed', 'cancelled')) = (completed_at IS NOT NULL))
      )`);
    await runner.query(`CREATE INDEX runs_listing ON runs (tenant_id, id DESC)`);
    await runner.query(
      `CREATE INDEX runs_waiting ON runs (tenant_id, due_at) WHERE status IN ('queued', 'retrying')`,
    );
    await runner.query(`CREATE INDEX runs_due ON runs (due_at) WHERE status IN ('queued', 'retrying')`);
    await runner.query(`CREATE INDEX runs_parked ON runs (tenant_id, due_at) WHERE parked`);
    await runner.query(`CREATE INDEX runs_running ON runs (worker_id) WHERE status = 'running'`);
    await runner.query(`
      CREATE TABLE run_attempts (
        run_id       text        NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        number       integer     NOT NULL,
        started_at   timestamptz NOT NULL,
        completed_at timestamptz,
        outcome      text CHECK (outcome IN ('completed', 'failed', 'timeout', 'lost', 'interrupted', 'cancelled')),
        status_code  integer,
        error        text,
        PRIMARY KEY (run_id, number)
      )`);
    await runner.query(`
      CREATE TABLE run_requests (
        tenant_id    uuid        NOT NULL,
        job_id       text        NOT NULL,
        key          text        NOT NULL,
        request_hash bytea       NOT NULL,
        run_id       text        NOT NULL,
        created_at   timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, job_id, key)
      )`);
    await runner.query(`CREATE INDEX run_requests_age ON run_requests (created_at)`);
    await runner.query(`
      CREATE TABLE schedulers (
        id        uuid        PRIMARY KEY,
        ticked_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'schedulers',
      'run_requests',
      'run_attempts',
      'runs',
      'workers',
      'tenant_rooms',
      'jobs',
    ]) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
