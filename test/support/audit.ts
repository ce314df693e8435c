import type { OpenDatabase } from './database.js';

export interface JobAuditRow extends Record<string, unknown> {
  actor_type: string;
  actor_id: string | null;
  action: string;
  target_type: string;
  target_id: string;
  details: Record<string, unknown>;
}

/** The number of refusals of an action: those that are still being counted, and those already in the trail. */
export async function refusalsOf(database: OpenDatabase, action: string): Promise<number> {
  const [found] = await database.query<{ count: number }>(
    `SELECT (
       (SELECT coalesce(sum(count), 0) FROM audit_refusals WHERE action = $1)
       + (SELECT coalesce(sum(coalesce((details ->> 'count')::int, 1)), 0) FROM audit_entries WHERE action = $1)
     )::int AS count`,
    [action],
  );
  return found?.count ?? 0;
}

/** The audit entries of an organization about its jobs and runs, oldest first. */
export async function jobAuditOf(database: OpenDatabase, orgId: string): Promise<JobAuditRow[]> {
  return await database.query<JobAuditRow>(
    `SELECT actor_type, actor_id, action, target_type, target_id, details FROM audit_entries
     WHERE org_id = $1 AND action ~ '^(jobs?|runs?)[.]' ORDER BY position`,
    [orgId],
  );
}
