import { Inject, Injectable } from '@nestjs/common';
import pTimeout from 'p-timeout';
import { RedisCounts } from '../../limits/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';

/** Addresses per account; the least recent one is removed. */
const MAX_ADDRESSES = 8;

/**
 * The addresses from which accounts were recently signed in to, so that guesses from elsewhere do not lock out their
 * owners. Kept in Redis, a few hundred bytes per account; losing them does no harm.
 */
@Injectable()
export class KnownAddresses {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly counts: RedisCounts,
  ) {}

  async has(account: string, address: string): Promise<boolean> {
    if (this.counts.isUnavailable) return false;
    const score = await this.inTime(this.counts.client.zscore(keyOf(account), address));
    return score !== null;
  }

  async remember(account: string, address: string): Promise<void> {
    if (this.counts.isUnavailable) return;
    const key = keyOf(account);
    const commands = this.counts.client
      .multi()
      .zadd(key, Date.now(), address)
      .zremrangebyrank(key, 0, -MAX_ADDRESSES - 1)
      .expire(key, this.config.timing.lives.knownAddressSecs);
    await this.inTime(commands.exec());
  }

  /** Null when Redis fails or takes too long. */
  private async inTime<Result>(answer: Promise<Result>): Promise<Result | null> {
    const known = answer.catch(() => null);
    return await pTimeout(known, { milliseconds: this.counts.answerLimitMs, fallback: () => null });
  }
}

function keyOf(account: string): string {
  return `service:limits:known_addresses:${account}`;
}
