import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { ServiceError } from '../../http/index.js';
import { MostUsedPasswords } from './most-used-passwords/most-used-passwords.js';

/** The refusal of a password that somebody else knows. @param message what it is, in the words of a field's problem */
export function weakPassword(message: string): ServiceError {
  return new ServiceError('weak_password', {
    hint: 'Choose a longer one that nobody else would, such as four words that do not belong together.',
    details: [{ path: 'password', message }],
  });
}

/** Requirements on new passwords. */
@Injectable()
export class PasswordPolicy {
  private readonly common: MostUsedPasswords | null;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.common = config.identity.passwordCheck === 'common' ? new MostUsedPasswords() : null;
  }

  /** Minimum number of characters, as people count them. */
  get minLength(): number {
    return this.config.identity.passwordMinLength;
  }

  /** What is said of a password with too few. */
  get tooShort(): string {
    return `must have at least ${this.minLength} characters`;
  }

  /** @throws validation_failed, weak_password */
  require(password: string): void {
    if ([...password].length < this.minLength) {
      throw new ServiceError('validation_failed', {
        details: [{ path: 'password', message: this.tooShort }],
      });
    }
    if (this.common?.has(password) === true) throw weakPassword('is among the 100,000 most used');
  }
}
