import { Injectable } from '@nestjs/common';
import { isLoopback, rateKeyOf } from '../../../platform/http/index.js';
import type { Origin } from '../../../platform/http/index.js';
import { rateLimited, RateReport, Rates } from '../../../platform/limits/index.js';

/** How many accounts one client address may create. */
@Injectable()
export class SignUpLimit {
  constructor(
    private readonly rates: Rates,
    private readonly report: RateReport,
  ) {}

  /**
   * Creates an account within the limit; one that is not created after all does not count.
   * @throws rate_limited, and whatever `create` throws
   */
  async hold<Result>({ ip }: Origin, create: () => Promise<Result>): Promise<Result> {
    const rate = this.rates.signUpsPerAddress;
    if (!rate.isOn || isLoopback(ip)) return await create();
    const key = rateKeyOf(ip);
    const standing = await rate.take(key);
    this.report.add(standing);
    if (standing.isOver) throw rateLimited(standing);
    try {
      return await create();
    } catch (error) {
      await rate.giveBack(key);
      throw error;
    }
  }
}
