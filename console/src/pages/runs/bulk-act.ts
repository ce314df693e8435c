export type BulkAct = 'retry' | 'cancel';

/** Of which runs it can be done: those that have ended are retried, the others are cancelled. */
const OF: Readonly<Record<BulkAct, readonly string[]>> = {
  retry: ['completed', 'failed', 'cancelled'],
  cancel: ['queued', 'running', 'retrying'],
};

interface ListedRun {
  readonly id: string;
  readonly job_id: string;
  readonly status: string;
  readonly retry_of?: string;
}

/** Whether runs in the statuses of the filter can be among those that it can be done to. */
export function mayConcern(act: BulkAct, status: string): boolean {
  return status === '' || status.split(',').some((each) => OF[act].includes(each));
}

/** How many of each job it concerns, the most first; nothing unless the list shows every run that matches. */
export function countsByJob(
  shown: readonly ListedRun[],
  act: BulkAct,
  matched: number | undefined,
): [job: string, count: number][] {
  const retried = new Set(act === 'retry' ? shown.map(({ retry_of }) => retry_of) : []);
  const concerned = shown.filter(({ id, status }) => OF[act].includes(status) && !retried.has(id));
  if (concerned.length !== matched) return [];
  const counts = new Map<string, number>();
  for (const { job_id: job } of concerned) counts.set(job, (counts.get(job) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left);
}
