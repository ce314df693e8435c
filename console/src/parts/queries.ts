import { ServiceError } from '@service/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { session } from '../session/session.js';
import { openTabs } from '../session/tabs.js';
import { connection } from './connection.js';
import { problemBeside } from './problems.js';

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
  queryCache: new QueryCache({
    onSuccess: () => {
      connection.heard(true);
    },
    onError: (error) => {
      connection.heard(!(error instanceof ServiceError) || error.status !== 0);
      // The factor went meanwhile, elsewhere. Of members, whom an organization refuses so, the session says nothing new.
      if (isCode(error, 'second_factor_required') && isOfOperator())
        session.renewRights().catch(() => undefined);
    },
  }),
  // What is on screen is read again after each change: here, and in the other tabs.
  mutationCache: new MutationCache({
    onSettled: async () => {
      tabs.tell('changed');
      await queries.invalidateQueries();
    },
  }),
});

function isOfOperator(): boolean {
  const state = session.read();
  return state.phase === 'signed-in' && state.access.kind === 'account' && state.access.operator !== null;
}

const tabs = openTabs('service.console.changes', () => {
  void queries.invalidateQueries({ refetchType: refetchType() });
});

/** A tab that nobody sees reads nothing until it is looked at. */
export function refetchType(): 'active' | 'none' {
  return document.hidden ? 'none' : 'active';
}

/** What went wrong, in the words of the service: of a request that is invalid, each problem with its place. */
export function messageOf(error: unknown): string {
  return problemBeside(error) ?? '';
}

export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof ServiceError && codes.includes(error.code);
}

/** Whether the service says that the caller may not, or not any more. What was read before is not shown then. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && [401, 403, 404].includes(error.status);
}
