import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { ServiceError } from '../../platform/http/index.js';

/** What a password must be like where one is set. */
@Injectable()
export class PasswordPolicy {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Fewest characters, as people count them. */
  get minLength(): number {
    return this.config.identity.passwordMinLength;
  }

  /** @throws validation_failed */
  demand(password: string): void {
    if ([...password].length >= this.minLength) return;
    throw new ServiceError('validation_failed', {
      details: [{ path: 'password', message: `must have at least ${this.minLength} characters` }],
    });
  }
}
