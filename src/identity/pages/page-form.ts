import { ServiceError, TextField } from '../../http/index.js';
import { PasswordField } from '../passwords/password-field.js';

/** What the button of a page sends. */
export class TokenForm {
  @TextField(1, 512)
  token!: string;
}

/** What a page that asks for a password sends. */
export class TokenAndPasswordForm extends TokenForm {
  @PasswordField()
  password!: string;

  /** A new password, entered again. */
  @PasswordField({ optional: true })
  repeat?: string;
}

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
