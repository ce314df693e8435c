import type { TenantEvent } from '../../tenancy/index.js';

/** What other jobs learn of a job that is paused or resumed with several, or by a manifest. */
export function pauseEvent(jobId: string, paused: boolean): TenantEvent {
  return { type: paused ? 'job.paused' : 'job.resumed', jobId, data: { job_id: jobId } };
}
