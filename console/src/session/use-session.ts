import { useSyncExternalStore } from 'react';
import { session } from './session.js';
import type { SessionState } from './session.js';
import type { Access } from './session-routes.js';

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.read);
}

/** Who has signed in, on pages that only such people see. */
export function useAccess(): Access {
  const state = useSession();
  if (state.phase !== 'signed-in') throw new Error('this page is for those who have signed in');
  return state.access;
}
