import type { AuditEntry } from '@service/client';

/** A job that an entry names, and what became of it. */
interface NamedJob {
  readonly id: string;
  readonly change: 'created' | 'updated' | 'deleted' | 'paused' | 'resumed';
}

function isNamed(job: unknown): job is NamedJob {
  return typeof job === 'object' && job !== null && 'id' in job && 'change' in job;
}

/** The jobs that a manifest changed, or that were paused or resumed together; none of any other entry. */
export function namedJobsOf({
  action,
  details,
}: Pick<AuditEntry, 'action' | 'details'>): readonly NamedJob[] {
  const { jobs } = details;
  if (!Array.isArray(jobs)) return [];
  if (action === 'jobs.registered') return jobs.filter(isNamed);
  const change = action === 'jobs.paused' ? 'paused' : action === 'jobs.resumed' ? 'resumed' : null;
  return change === null ? [] : jobs.map((id) => ({ id: String(id), change }));
}
