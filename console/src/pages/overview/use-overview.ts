import type { Job, Queue, Run } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { POLL_MS, runsKey } from '../../tenant/live-runs.js';
import type { Stats } from '../../tenant/run-charts.js';
import { useTenant } from '../../tenant/tenant.js';

/** So many of the newest are grouped. */
export const READ_FAILURES = 50;

export interface Loaded<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

export function useQueueState(): Loaded<Queue> {
  const tenant = useTenant();
  return useQuery({
    queryKey: runsKey(tenant, 'queue'),
    queryFn: ({ signal }) => tenant.client.runs.queue({ signal }),
    refetchInterval: POLL_MS,
    enabled: tenant.may('jobs:runs:read'),
  });
}

export function useLastFailures(): Loaded<Run[]> {
  const tenant = useTenant();
  return useQuery({
    queryKey: runsKey(tenant, 'failures'),
    queryFn: async ({ signal }) =>
      (await tenant.client.runs.list({ status: 'failed', limit: READ_FAILURES, signal }).page()).items,
    refetchInterval: POLL_MS,
    enabled: tenant.may('jobs:runs:read'),
  });
}

/** Reads the last failures or the figures again where one of them has a failure that the other lacks. */
export function useAgreement({ points, retry }: Stats): void {
  const { data: failures, refetch } = useLastFailures();
  const failed = points?.reduce((sum, point) => sum + point.failed, 0) ?? 0;
  const newest = failures?.[0]?.id;
  useEffect(() => {
    if (failed > 0 && newest === undefined) void refetch();
    if (failed === 0 && newest !== undefined) retry();
    // Once for each change of either, so that failures before the range of the figures do not go on asking.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [failed, newest]);
}

export function useJobs(): Loaded<Job[]> {
  const tenant = useTenant();
  return useQuery({
    queryKey: runsKey(tenant, 'next'),
    queryFn: ({ signal }) => tenant.client.jobs.list({ limit: 100, signal }).all(),
    refetchInterval: POLL_MS,
    enabled: tenant.may('jobs:jobs:read'),
  });
}
