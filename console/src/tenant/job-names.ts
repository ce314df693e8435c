import { useQuery } from '@tanstack/react-query';
import { runsKey } from './live-runs.js';
import { useTenantOrNone } from './tenant.js';

const PAGE_SIZE = 100;

export interface JobName {
  readonly id: string;
  readonly name: string;
}

/** The jobs that one may see here, to choose from; undefined while they are loading, and where one may see none. */
export function useJobNames(): readonly JobName[] | undefined {
  const tenant = useTenantOrNone();
  const { data } = useQuery<readonly JobName[]>({
    queryKey: tenant === null ? ['runs'] : runsKey(tenant, 'names'),
    queryFn: async ({ signal }) => (await tenant?.client.jobs.list({ limit: PAGE_SIZE, signal }).all()) ?? [],
    enabled: tenant?.may('jobs:jobs:read') === true,
    staleTime: 30_000,
  });
  return data;
}

/** The name of a job; its id while the names are loading, where the job is deleted, and for those who may see none. */
export function useJobName(id: string): string {
  return useJobNames()?.find((job) => job.id === id)?.name ?? id;
}
