import type { Run } from '@service/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { POLL_MS, runsKey } from '../../tenant/live-runs.js';
import { useTenant } from '../../tenant/tenant.js';
import { filterOf } from './run-filter.js';
import type { RunFilters } from './run-filter.js';

const PAGE_SIZE = 50;

export interface RunsResult {
  readonly runs: Run[] | undefined;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

/** Runs by filters, page after page; none where a filter cannot be read. */
export function useRuns(values: RunFilters['values']): RunsResult {
  const tenant = useTenant();
  const isReadable = filterOf(values) !== null;
  const query = useInfiniteQuery({
    queryKey: runsKey(tenant, 'list', values),
    // Read for each page, because a length of time goes with the clock.
    queryFn: ({ signal, pageParam }) =>
      tenant.client.runs.list({ ...filterOf(values), limit: PAGE_SIZE, signal }).page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: POLL_MS,
    enabled: isReadable,
  });
  return {
    runs: isReadable ? query.data?.pages.flatMap(({ items }) => items) : [],
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}
