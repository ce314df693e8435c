import { SetMetadata, Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { Rate, RedisCounts } from './rate.js';

const MINUTE_SECS = 60;
const HOUR_SECS = 3600;

/** The limits of the section `[limits]` that are counted per caller (contract section 9.2). */
@Injectable()
export class Rates {
  readonly requestsPerAddress: Rate;
  readonly signUpsPerAddress: Rate;
  /** By account and address; attempts that name no account, by address only. */
  readonly signInFailures: Rate;
  readonly credentialFailures: Rate;
  readonly signInFailuresHourly: Rate;

  constructor(@Inject(CONFIG) { limits }: Config, counts: RedisCounts) {
    const rate = (setting: string, quota: number, windowSecs: number, isFinal = false): Rate =>
      new Rate({ setting, quota, windowSecs, isFinal }, counts);
    const failures = limits.signInFailuresPerAccount;
    this.requestsPerAddress = rate('requests_per_address', limits.requestsPerAddress, MINUTE_SECS, true);
    this.signUpsPerAddress = rate('sign_ups_per_address', limits.signUpsPerAddress, HOUR_SECS);
    this.signInFailures = rate('sign_in_failures_per_account', failures, 15 * MINUTE_SECS);
    this.credentialFailures = rate('sign_in_failures_per_account', failures, 15 * MINUTE_SECS, true);
    this.signInFailuresHourly = rate(
      'sign_in_failures_per_account_hourly',
      limits.signInFailuresPerAccountHourly,
      HOUR_SECS,
    );
  }
}

export const UNCOUNTED = 'service:uncounted';

/** A route that `limits.requests_per_address` does not count. */
export function Uncounted(): MethodDecorator {
  return SetMetadata(UNCOUNTED, true);
}
