import type { RestartablePostgres } from '../support/restartable-postgres.js';
import type { AttemptFact, History, RunFact, StatusChange } from './history.js';

/** Keeps every committed change of a run's status, and reads at the end what became of all runs. */
export class RunRecords {
  private constructor(private readonly postgres: RestartablePostgres) {}

  static async begin(postgres: RestartablePostgres): Promise<RunRecords> {
    await postgres.query(`
      CREATE TABLE public.status_changes (position bigserial PRIMARY KEY, run_id text, "from" text, "to" text);
      CREATE INDEX ON public.status_changes (run_id, position);
      CREATE FUNCTION record_status() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- A run that ends moves to another partition: it is deleted, and inserted with its last status.
        INSERT INTO public.status_changes (run_id, "from", "to")
        VALUES (NEW.id, CASE WHEN TG_OP = 'UPDATE' THEN OLD.status ELSE (
          SELECT "to" FROM public.status_changes WHERE run_id = NEW.id ORDER BY position DESC LIMIT 1) END, NEW.status);
        RETURN NULL;
      END $$;
      CREATE TRIGGER record_first_status AFTER INSERT ON runs FOR EACH ROW EXECUTE FUNCTION record_status();
      CREATE TRIGGER record_status AFTER UPDATE ON runs FOR EACH ROW
      WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION record_status();`);
    return new RunRecords(postgres);
  }

  async unfinished(): Promise<number> {
    return await this.count(
      `SELECT count(*)::int AS count FROM runs WHERE status IN ('queued', 'running', 'retrying')`,
    );
  }

  async read(): Promise<Pick<History, 'runs' | 'attempts' | 'changes' | 'inSlots'>> {
    const [runs, attempts, changes, inSlots] = await Promise.all([
      this.postgres.query<RunRow>(
        `SELECT id, tenant_id AS "tenantId", job_id AS "jobId", status, trigger ->> 'type' AS "triggerType",
                (trigger ->> 'position')::int AS position, scheduled_for AS "scheduledFor",
                started_at IS NOT NULL AS "hasStarted", attempt, failures, losses, max_attempts AS "maxAttempts",
                result ->> 'mark' AS "resultMark", error_code AS "errorCode"
         FROM runs`,
      ),
      this.postgres.query<AttemptRow>(
        `SELECT run_id AS "runId", number, outcome, completed_at AS "completedAt" FROM attempts_of_runs`,
      ),
      this.postgres.query<StatusChange>(
        `SELECT run_id AS "runId", "from", "to" FROM status_changes ORDER BY position`,
      ),
      this.count('SELECT coalesce(sum(running + queued + retrying), 0)::int AS count FROM tenant_queues'),
    ]);
    return {
      runs: runs.map(runFact),
      attempts: attempts.map((row) => ({ ...row, completedAt: row.completedAt?.getTime() ?? null })),
      changes,
      inSlots,
    };
  }

  private async count(sql: string): Promise<number> {
    const [row] = await this.postgres.query<{ count: number }>(sql);
    return row?.count ?? Number.NaN;
  }
}

type RunRow = Omit<RunFact, 'instant'> & {
  readonly position: number | null;
  readonly scheduledFor: Date | null;
};
type AttemptRow = Omit<AttemptFact, 'completedAt'> & { readonly completedAt: Date | null };

function runFact({ position, scheduledFor, ...run }: RunRow): RunFact {
  const isCron = position !== null && scheduledFor !== null;
  return { ...run, instant: isCron ? { jobId: run.jobId, position, at: scheduledFor.toISOString() } : null };
}
