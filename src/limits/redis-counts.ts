import { Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { IRateLimiterOptions, RateLimiterRes } from 'rate-limiter-flexible';
import { QueueConnection } from '../platform/queue/index.js';

/** How long to count without Redis after it failed to answer in time; further commands would only pile up. */
const SKIP_MS = 1000;

/** Counts in memory, and reports each time it is used in place of Redis. */
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

/** Access to Redis for counting. */
@Injectable()
export class RedisCounts {
  private skippedUntil = 0;

  constructor(private readonly connection: QueueConnection) {}

  get client(): Redis {
    return this.connection.client;
  }

  /** Whether to count in memory without asking Redis. */
  get isUnavailable(): boolean {
    return !this.connection.isConnected || performance.now() < this.skippedUntil;
  }

  insurance(options: IRateLimiterOptions): RateLimiterMemory {
    return new Insurance(options, () => {
      if (!this.isUnavailable) this.skippedUntil = performance.now() + SKIP_MS;
    });
  }
}
