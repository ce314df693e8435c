export type BulkAct = 'retry' | 'cancel';

/** Of which runs it can be done: those that have ended are retried, the others are cancelled. */
const OF: Readonly<Record<BulkAct, readonly string[]>> = {
  retry: ['completed', 'failed', 'cancelled'],
  cancel: ['queued', 'running', 'retrying'],
};

/** Whether runs in the statuses of the filter can be among those that it can be done to. */
export function mayConcern(act: BulkAct, status: string): boolean {
  return status === '' || status.split(',').some((each) => OF[act].includes(each));
}

/** How many of each job it concerns, the most first; nothing unless the list shows every run that matches. */
export function countsByJob(
  shown: readonly { readonly job_id: string; readonly status: string }[],
  act: BulkAct,
  matched: number | undefined,
): [job: string, count: number][] {
  const concerned = shown.filter(({ status }) => OF[act].includes(status));
  if (concerned.length !== matched) return [];
  const counts = new Map<string, number>();
  for (const { job_id: job } of concerned) counts.set(job, (counts.get(job) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left);
}
