import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible';
import type { IRateLimiterOptions, RateLimiterLike } from 'rate-limiter-flexible';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { QueueConnection } from '../platform/queue/index.js';
import { ServiceError } from '../http/index.js';

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
  /** How long Redis may take to answer. After that, this instance goes on without it. */
  readonly answerLimitMs: number;
  private readonly skipMs: number;
  private skippedUntil = 0;

  constructor(
    @Inject(CONFIG) { timing }: Config,
    private readonly connection: QueueConnection,
  ) {
    this.answerLimitMs = timing.redis.countLimitMs;
    this.skipMs = timing.redis.countSkipMs;
  }

  get client(): Redis {
    return this.connection.client;
  }

  /** Whether to count in memory without asking Redis. */
  get isUnavailable(): boolean {
    return !this.connection.isConnected || performance.now() < this.skippedUntil;
  }

  /** Once Redis failed to answer in time, further commands would only pile up: they are skipped for a while. */
  insurance(options: IRateLimiterOptions): RateLimiterMemory {
    return new Insurance(options, () => {
      if (!this.isUnavailable) this.skippedUntil = performance.now() + this.skipMs;
    });
  }
}

/** How often something may happen, and the setting that says so. */
export interface RatePolicy {
  /** The key in the section `[limits]`. Callers see it as the policy's name. */
  readonly setting: string;
  /** 0 means no limit. */
  readonly quota: number;
  readonly windowSecs: number;
  /**
   * Whether this instance refuses a key that is over the limit from memory for the rest of the window, so that a
   * flood costs Redis nothing. Not for counts that may decrease.
   */
  readonly isFinal?: boolean;
}

/** What is left of a quota. */
export interface RateState {
  readonly policy: RatePolicy;
  /** How often it happened in the window, as far as this instance knows. */
  readonly taken: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetSecs: number;
  readonly isOver: boolean;
}

/**
 * Counts by key across all instances, in Redis, in fixed windows that start with the first count. While Redis is
 * unavailable or slow, each instance counts in its own memory.
 */
export class Rate {
  private readonly memory: RateLimiterMemory;
  private readonly shared: RateLimiterLike;

  constructor(
    readonly policy: RatePolicy,
    private readonly counts: RedisCounts,
  ) {
    const { setting, quota, windowSecs, isFinal = false } = policy;
    const options = { keyPrefix: `service:limits:${setting}`, points: quota, duration: windowSecs };
    this.memory = counts.insurance(options);
    const redis = new RateLimiterRedis({
      ...options,
      storeClient: counts.client,
      rejectIfRedisNotReady: true,
      ...(isFinal ? { inMemoryBlockOnConsumed: quota + 1 } : {}),
    });
    this.shared = new RLWrapperTimeouts({
      limiter: redis,
      timeoutMs: counts.answerLimitMs,
      insuranceLimiter: this.memory,
    });
  }

  get isOn(): boolean {
    return this.policy.quota > 0;
  }

  /** Counts one occurrence. */
  async take(key: string): Promise<RateState> {
    try {
      return this.stateOf(await this.limiter.consume(key), false);
    } catch (over) {
      if (over instanceof RateLimiterRes) return this.stateOf(over, true);
      throw over;
    }
  }

  /** Reads the state without counting. */
  async peek(key: string): Promise<RateState> {
    const found = await this.limiter.get(key);
    return found === null ? this.unused() : this.stateOf(found, found.consumedPoints > this.policy.quota);
  }

  /** Takes back one occurrence. */
  async undo(key: string): Promise<void> {
    const { consumedPoints } = await this.limiter.reward(key);
    // The count was cleared meanwhile, or its window ended. A negative count would allow more than the quota.
    if (consumedPoints < 0) await this.clear(key);
  }

  async clear(key: string): Promise<void> {
    await this.limiter.delete(key);
  }

  /** The state of a key without any count. */
  unused(): RateState {
    const { quota } = this.policy;
    return { policy: this.policy, taken: 0, remaining: quota, resetSecs: 0, isOver: false };
  }

  private get limiter(): RateLimiterLike {
    return this.counts.isUnavailable ? this.memory : this.shared;
  }

  private stateOf({ consumedPoints, msBeforeNext }: RateLimiterRes, isOver: boolean): RateState {
    const { quota } = this.policy;
    return {
      policy: this.policy,
      taken: consumedPoints,
      remaining: isOver ? 0 : Math.max(quota - consumedPoints, 0),
      resetSecs: Math.max(Math.ceil(msBeforeNext / 1000), 1),
      isOver,
    };
  }
}

const SPANS: readonly (readonly [number, string])[] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
];

function spanOf(seconds: number): string {
  const [secs, unit] = SPANS.find(([length]) => seconds >= length && seconds % length === 0) ?? [1, 'second'];
  const count = seconds / secs;
  return count === 1 ? unit : `${count} ${unit}s`;
}

/** The refusal when a rate limit is exceeded: which setting applies and when to try again. */
export function rateLimited({ policy, resetSecs }: Pick<RateState, 'policy' | 'resetSecs'>): ServiceError {
  const { setting, quota, windowSecs } = policy;
  return new ServiceError('rate_limited', {
    hint: `limits.${setting} allows ${quota} per ${spanOf(windowSecs)}; try again in ${resetSecs} s.`,
    headers: { 'Retry-After': String(resetSecs) },
  });
}
