import { ValidateIf } from 'class-validator';
import { PasswordField } from '../passwords/password-field.js';
import type { AccountPatch } from './account-updates.js';

/** Requires a field if the other one is present. */
function Beside(other: string): PropertyDecorator {
  return ValidateIf(
    (dto: Record<string, unknown>, value: unknown) => value !== undefined || dto[other] !== undefined,
  );
}

/** What a user sends for a new password, in either profile. */
export class PasswordChangeBody {
  @Beside('current_password')
  @PasswordField({ required: false })
  password?: string;

  @Beside('password')
  @PasswordField({ required: false })
  current_password?: string;
}

export function passwordChangeOf(body: PasswordChangeBody): Pick<AccountPatch, 'password'> {
  const { password, current_password: current } = body;
  return password === undefined || current === undefined ? {} : { password: { current, wanted: password } };
}
