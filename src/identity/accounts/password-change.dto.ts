import { PasswordField } from '../passwords/password-field.js';
import type { AccountPatch } from './account-updates.js';

/** What a user sends for a new password, in either profile. */
export class PasswordChangeBody {
  @PasswordField({ neededWith: 'current_password' })
  password?: string;

  @PasswordField({ neededWith: 'password' })
  current_password?: string;
}

export function passwordChangeOf(body: PasswordChangeBody): Pick<AccountPatch, 'password'> {
  const { password, current_password: current } = body;
  return password === undefined || current === undefined ? {} : { password: { current, wanted: password } };
}
