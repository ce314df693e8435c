import type { Job } from '@service/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { POLL_MS, runsKey } from '../../tenant/live-runs.js';
import { useTenant } from '../../tenant/tenant.js';

const PAGE_SIZE = 100;
const PROBLEMS_MS = 60_000;

export function useJobs() {
  const tenant = useTenant();
  return useQuery<Job[]>({
    queryKey: runsKey(tenant, 'jobs'),
    queryFn: ({ signal }) => tenant.client.jobs.list({ limit: PAGE_SIZE, signal }).all(),
    refetchInterval: POLL_MS,
  });
}

/**
 * The ids of the jobs with a problem. A job says so where it is read alone, and only triggers on row changes can have
 * one: those jobs are read one after the other, so that many of them are no burst of requests.
 */
export function useTroubledJobs(jobs: readonly Job[] = []): ReadonlySet<string> {
  const { slug, client } = useTenant();
  const ids = jobs.filter(({ triggers }) => triggers.some(({ type }) => type === 'data')).map(({ id }) => id);
  const { data } = useQuery({
    queryKey: ['troubled-jobs', slug, ids],
    queryFn: async ({ signal }) => {
      const troubled: string[] = [];
      for (const id of ids)
        if ((await client.jobs.get(id, { signal })).problems !== undefined) troubled.push(id);
      return troubled;
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: PROBLEMS_MS,
  });
  return new Set(data);
}
