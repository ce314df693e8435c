import { ServiceError } from '../../../../client/src/index.js';
import type { OrganizationClient } from '../../../../client/src/index.js';
import { asTyped } from '../../environment.js';
import { similarTo } from '../../suggestions.js';

/**
 * Does the work on a job that the user named.
 * @throws ServiceError job_not_found, with a hint at the job that the user probably meant
 */
export async function withJob<Result>(
  client: OrganizationClient,
  id: string,
  work: (id: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(id);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'job_not_found') throw error;
    const { code, message, status, details, requestId } = error;
    const hint = await hintFor(client, id);
    throw new ServiceError({ code, message, status, details, requestId, hint });
  }
}

/** What to do about a job that does not exist. A caller who may not read jobs gets the plain hint. */
export async function hintFor(client: OrganizationClient, id: string): Promise<string> {
  const jobs = await client.jobs
    .list({ limit: 100 })
    .all()
    .catch(() => []);
  const meant = similarTo(
    id,
    jobs.map((job) => job.id),
  );
  return meant === null ? `See the jobs: ${asTyped('jobs')}` : `Did you mean ${meant}?`;
}
