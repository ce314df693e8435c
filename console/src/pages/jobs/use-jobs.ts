import type { Job } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import { POLL_MS, runsKey } from '../../tenant/live-runs.js';
import { useTenant } from '../../tenant/tenant.js';

const PAGE_SIZE = 100;

export function useJobs() {
  const tenant = useTenant();
  return useQuery<Job[]>({
    queryKey: runsKey(tenant, 'jobs'),
    queryFn: ({ signal }) => tenant.client.jobs.list({ limit: PAGE_SIZE, signal }).all(),
    refetchInterval: POLL_MS,
  });
}
