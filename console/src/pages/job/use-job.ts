import { useMutation, useQuery } from '@tanstack/react-query';
import { POLL_MS, runsKey } from '../../tenant/live-runs.js';
import { useTenant } from '../../tenant/tenant.js';

const LATEST = 10;
/** Instants of each schedule. */
export const COMING = 5;

export function useJob(id: string) {
  const tenant = useTenant();
  return useQuery({
    queryKey: runsKey(tenant, 'job', id),
    queryFn: ({ signal }) => tenant.client.jobs.get(id, { signal }),
    refetchInterval: POLL_MS,
  });
}

export function useLatestRuns(jobId: string) {
  const tenant = useTenant();
  return useQuery({
    queryKey: runsKey(tenant, 'latest', jobId),
    queryFn: async ({ signal }) =>
      (await tenant.client.runs.list({ jobId, limit: LATEST, signal }).page()).items,
    refetchInterval: POLL_MS,
    enabled: tenant.may('jobs:runs:read'),
  });
}

/** The coming instants of each schedule. */
export function useComing(id: string) {
  const tenant = useTenant();
  return useQuery({
    queryKey: runsKey(tenant, 'coming', id),
    queryFn: ({ signal }) => tenant.client.jobs.next(id, { count: COMING, signal }),
    refetchInterval: POLL_MS,
  });
}

/** The last refused call of each of its webhooks. */
export function useWebhooks(id: string) {
  const { slug, client } = useTenant();
  return useQuery({
    queryKey: ['webhooks', slug, id],
    queryFn: ({ signal }) => client.jobs.webhooks(id, { signal }),
    refetchInterval: POLL_MS,
  });
}

export function useJobActions(id: string) {
  const { client } = useTenant();
  return {
    setPaused: useMutation({
      mutationFn: (paused: boolean) => (paused ? client.jobs.pause(id) : client.jobs.resume(id)),
    }),
    trigger: useMutation({
      mutationFn: ({ payload, runAt }: { payload: object; runAt: Date | undefined }) =>
        client.jobs.trigger(id, payload, { runAt }),
    }),
  };
}
