import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { ServiceError } from '../../platform/http/index.js';

/** Who may make an account: `identity.sign_up`. */
@Injectable()
export class SignUpRules {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Whether anyone may make an account for themself. */
  get isOpen(): boolean {
    return this.config.identity.signUp === 'open';
  }

  /** @throws sign_up_closed where nobody may make an account unasked */
  demandOpen(): void {
    if (this.isOpen) return;
    throw new ServiceError('sign_up_closed', {
      hint: `The setting identity.sign_up is ${this.config.identity.signUp}.`,
    });
  }

  /** @throws sign_up_closed where an invitation makes no account either */
  demandInvitable(): void {
    if (this.config.identity.signUp !== 'closed') return;
    throw new ServiceError('sign_up_closed', {
      message: 'No accounts are made here; an invitation is for those who have one.',
      hint: 'The setting identity.sign_up is closed.',
    });
  }
}
