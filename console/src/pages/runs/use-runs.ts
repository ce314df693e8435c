import type { Run, RunFilter } from '@service/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { POLL_MS, runsKey } from '../../tenant/live-runs.js';
import { useTenant } from '../../tenant/tenant.js';
import { SPANS_MS } from './run-filters.js';
import type { RunFilters } from './run-filters.js';

const PAGE_SIZE = 50;

function isSpan(value: string): value is keyof typeof SPANS_MS {
  return value in SPANS_MS;
}

/** The filter of the API for what the address says; what nobody can have chosen is left out. */
function filterOf({ status, job, trigger, since }: RunFilters['values']): RunFilter {
  return {
    status: status === '' ? undefined : (status as NonNullable<RunFilter['status']>),
    trigger: trigger === '' ? undefined : (trigger as NonNullable<RunFilter['trigger']>),
    jobId: job === '' ? undefined : job,
    since: isSpan(since) ? new Date(Date.now() - SPANS_MS[since]) : undefined,
  };
}

export interface RunsResult {
  readonly runs: Run[] | undefined;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

/** Runs by filters, page after page. */
export function useRuns(values: RunFilters['values']): RunsResult {
  const tenant = useTenant();
  const query = useInfiniteQuery({
    queryKey: runsKey(tenant, 'list', values),
    queryFn: ({ signal, pageParam }) =>
      tenant.client.runs.list({ ...filterOf(values), limit: PAGE_SIZE, signal }).page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: POLL_MS,
  });
  return {
    runs: query.data?.pages.flatMap(({ items }) => items),
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}
