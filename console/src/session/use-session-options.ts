import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { sessionOptions } from './session-routes.js';
import type { SessionOptions } from './session-routes.js';
import { useAccess } from './use-session.js';

/** What the deployment offers to those who sign in; it does not change while the page is open. */
export function useSessionOptions(): UseQueryResult<SessionOptions> {
  return useQuery({ queryKey: ['session-options'], queryFn: sessionOptions, staleTime: Infinity });
}

/** Whether the person may be a member of organizations. */
export function useHasOrganizations(): boolean {
  const { kind } = useAccess();
  const { data } = useSessionOptions();
  return kind === 'account' && data?.profile === 'organization';
}
