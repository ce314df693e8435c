import { ServiceError } from '../../../http/index.js';
import type { AttemptState } from './active-run.repository.js';

/** Why nothing more of an attempt is taken. @param state null when the tenant has no such run */
export function refusalOf(state: AttemptState | null): ServiceError {
  if (state?.outcome == null) return new ServiceError('run_not_found');
  if (state.outcome === 'cancelled') return new ServiceError('run_cancelled');
  return new ServiceError('attempt_ended', {
    message: `The attempt has ended already, with the outcome ${state.outcome}.`,
  });
}
