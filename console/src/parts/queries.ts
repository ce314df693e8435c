import { ServiceError } from '@service/client';
import { MutationCache, QueryClient } from '@tanstack/react-query';
import { openTabs } from '../session/tabs.js';

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The client has its own retries; what it gives up is shown, with a button.
      retry: false,
      staleTime: 1_000,
      refetchOnWindowFocus: 'always',
    },
    mutations: { retry: false },
  },
  // What is on screen is read again after each change: here, and in the other tabs.
  mutationCache: new MutationCache({
    onSettled: async () => {
      tabs.tell('changed');
      await queries.invalidateQueries();
    },
  }),
});

const tabs = openTabs('service.console.changes', () => {
  void queries.invalidateQueries();
});

/** What went wrong, in the words of the service. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof ServiceError && codes.includes(error.code);
}
