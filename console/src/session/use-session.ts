import { useSyncExternalStore } from 'react';
import { session } from './session.js';
import type { SessionState } from './session.js';
import type { Access } from './session-routes.js';

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.read);
}

/** Whether the person may see the deployment. */
export function useIsOperator(): boolean {
  const access = useAccess();
  return access.kind === 'account' && access.operator !== null;
}

/** Whether the person has an account to manage here; the holder of a service key has none. */
export function useHasOwnAccount(): boolean {
  return useAccess().kind === 'account';
}

/** Who has signed in, on pages that only such people see. */
export function useAccess(): Access {
  const state = useSession();
  if (state.phase !== 'signed-in') throw new Error('this page is for those who have signed in');
  return state.access;
}
