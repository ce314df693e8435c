import { Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { IRateLimiterOptions, RateLimiterRes } from 'rate-limiter-flexible';
import { QueueConnection } from '../queue/index.js';

/** How long Redis is left alone after it failed to answer in time: what is sent meanwhile would only pile up. */
const REST_MS = 1000;

/** Counts in memory, and tells when it is asked in place of Redis. */
class Insurance extends RateLimiterMemory {
  constructor(
    options: IRateLimiterOptions,
    private readonly onUse: () => void,
  ) {
    super(options);
  }

  override async consume(...by: Parameters<RateLimiterMemory['consume']>): Promise<RateLimiterRes> {
    this.onUse();
    return await super.consume(...by);
  }
}

/** Redis, as far as counting goes. */
@Injectable()
export class RedisCounts {
  private restsUntil = 0;

  constructor(private readonly connection: QueueConnection) {}

  get client(): Redis {
    return this.connection.client;
  }

  /** Whether to count in memory without asking. */
  get isAway(): boolean {
    return !this.connection.isConnected || performance.now() < this.restsUntil;
  }

  insurance(options: IRateLimiterOptions): RateLimiterMemory {
    return new Insurance(options, () => {
      if (!this.isAway) this.restsUntil = performance.now() + REST_MS;
    });
  }
}
