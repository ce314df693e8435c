import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The statements that change runs write the lines of their logs themselves, so that these texts are in the program
 * (src/jobs/runs/model/run-log-lines.ts) and not in the database. While programs of before this migration run beside
 * it, their runs lack these lines.
 */
export class DropRunLogTriggers1764210000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER runs_log_change ON runs');
    await runner.query('DROP TRIGGER runs_log_new ON runs');
    await runner.query('DROP FUNCTION log_run_change()');
    await runner.query('DROP FUNCTION log_new_runs()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION log_new_runs() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO run_logs (tenant_id, run_id, job_id, level, message)
        SELECT tenant_id, id, job_id, 'info', 'queued (' || (trigger ->> 'type') || ')'
               || CASE WHEN due_at > now() AND isfinite(due_at) THEN ', due at ' ||
                    to_char(due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ELSE '' END
        FROM new_runs;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE FUNCTION log_run_change() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE ended run_attempts; answered text := ''; level text; message text;
      BEGIN
        IF OLD.status = 'running' THEN
          SELECT * INTO ended FROM run_attempts WHERE run_id = NEW.id AND number = NEW.attempt;
          answered := 'attempt ' || NEW.attempt || ' '
            || CASE ended.outcome
                 WHEN 'completed' THEN 'completed' WHEN 'timeout' THEN 'timed out' WHEN 'lost' THEN 'was lost'
                 WHEN 'interrupted' THEN 'was interrupted' WHEN 'cancelled' THEN 'was cancelled' ELSE 'failed' END
            || coalesce(' with status ' || ended.status_code, '') || coalesce(': ' || ended.error, '') || '; ';
        END IF;
        level := CASE NEW.status WHEN 'failed' THEN 'error' WHEN 'retrying' THEN 'warn' WHEN 'cancelled' THEN 'warn'
                 ELSE 'info' END;
        message := CASE NEW.status
          WHEN 'running' THEN 'attempt ' || NEW.attempt || ' started'
          WHEN 'retrying' THEN answered || 'retry in '
            || greatest(round(extract(epoch FROM NEW.due_at - now()) * 1000), 0) || ' ms'
          WHEN 'queued' THEN 'queued again'
          ELSE answered || 'the run is ' || NEW.status
            || CASE WHEN NEW.status = 'completed' OR answered <> '' THEN '' ELSE coalesce(': ' || NEW.error_message, '') END
        END;
        INSERT INTO run_logs (tenant_id, run_id, job_id, attempt, level, message, ends_run)
        VALUES (NEW.tenant_id, NEW.id, NEW.job_id, nullif(NEW.attempt, 0), level, left(message, 8192),
                NEW.completed_at IS NOT NULL);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER runs_log_new AFTER INSERT ON runs REFERENCING NEW TABLE AS new_runs
      FOR EACH STATEMENT EXECUTE FUNCTION log_new_runs()`);
    await runner.query(`
      CREATE TRIGGER runs_log_change AFTER UPDATE OF status ON runs FOR EACH ROW
      WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION log_run_change()`);
  }
}
