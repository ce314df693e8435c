import { ServiceError } from '../../http/index.js';
import type { TokenAndPasswordForm } from './page-form.js';

/** The token of a form whose other fields may be wrong. */
export function tokenOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined;
}

/** @throws validation_failed when a new password was entered in two ways */
export function requireSame({ password, repeat }: TokenAndPasswordForm): void {
  if (repeat === undefined || repeat === password) return;
  throw new ServiceError('validation_failed', {
    details: [{ path: 'repeat', message: 'must be the same as password' }],
  });
}
