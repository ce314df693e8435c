import { useInfiniteQuery } from '@tanstack/react-query';

interface Listed<Item> {
  page(cursor?: string): Promise<{ items: Item[]; nextCursor: string | null }>;
}

/** What a list with pages shows, and the button below it. */
export interface Pages<Item> {
  /** Undefined while they are loading. */
  readonly items: Item[] | undefined;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

/** A list of the service, page after page. */
export function usePages<Item>(
  queryKey: readonly unknown[],
  list: (signal: AbortSignal) => Listed<Item>,
  /** How often it is read again, where nothing tells of a change. */
  refreshMs: number | false = false,
): Pages<Item> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) => list(signal).page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: refreshMs,
  });
  return {
    items: query.data?.pages.flatMap(({ items }) => items),
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}
