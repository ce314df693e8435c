import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { isLoopback, rateKeyOf, ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { rateLimited, RateReport, Rates } from '../../limits/index.js';

/** Who may create an account (`identity.sign_up`), and how many (`limits.sign_ups_per_address`). */
@Injectable()
export class SignUpRules {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly rates: Rates,
    private readonly report: RateReport,
  ) {}

  /** Whether anyone may sign up. */
  get isOpen(): boolean {
    return this.config.identity.signUp === 'open';
  }

  /** @throws sign_up_closed unless anyone may sign up */
  requireOpen(): void {
    if (this.isOpen) return;
    throw new ServiceError('sign_up_closed', {
      hint: `The setting identity.sign_up is ${this.config.identity.signUp}.`,
    });
  }

  /** @throws sign_up_closed where invitations do not create accounts either */
  requireInvitable(): void {
    if (this.config.identity.signUp !== 'closed') return;
    throw new ServiceError('sign_up_closed', {
      message: 'Invitations create no accounts here; only existing accounts can accept them.',
      hint: 'The setting identity.sign_up is closed.',
    });
  }

  /**
   * Creates an account within the limit of the client address. A failed creation does not count.
   * @throws rate_limited, and whatever `create` throws
   */
  async withinLimit<Result>(origin: Origin, create: () => Promise<Result>): Promise<Result> {
    const rate = this.rates.signUpsPerAddress;
    if (!rate.isOn || isLoopback(origin.ip)) return await create();
    const key = rateKeyOf(origin.ip);
    const state = await rate.take(key);
    this.report.add(origin, state);
    if (state.isOver) throw rateLimited(state);
    try {
      return await create();
    } catch (error) {
      await rate.undo(key);
      throw error;
    }
  }
}
