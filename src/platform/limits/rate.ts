import { RateLimiterRedis, RateLimiterRes, RLWrapperTimeouts } from 'rate-limiter-flexible';
import type { RateLimiterLike, RateLimiterMemory } from 'rate-limiter-flexible';
import type { RedisCounts } from './redis-counts.js';

/** How long Redis may take to count; then this instance counts for itself. */
const ANSWER_LIMIT_MS = 300;

/** How often something may happen, and by which setting. */
export interface RatePolicy {
  /** The key in the section `[limits]`; names the policy to callers. */
  readonly setting: string;
  /** 0 for no limit. */
  readonly quota: number;
  readonly windowSecs: number;
  /**
   * Whether this instance refuses from memory, for the rest of the window, whoever is over the limit: a flood then
   * costs Redis nothing. Not for a count that may go down.
   */
  readonly isFinal?: boolean;
}

/** What is left of a quota. */
export interface RateState {
  readonly policy: RatePolicy;
  /** How often it happened in the window, as far as is known. */
  readonly taken: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetSecs: number;
  readonly isOver: boolean;
}

/**
 * Counts by key over all instances, in Redis, in fixed windows that begin with the first count. While Redis is away or
 * slow each instance counts for itself, in memory.
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
      timeoutMs: ANSWER_LIMIT_MS,
      insuranceLimiter: this.memory,
    });
  }

  get isOn(): boolean {
    return this.policy.quota > 0;
  }

  /** Counts one. */
  async take(key: string): Promise<RateState> {
    try {
      return this.standing(await this.limiter.consume(key), false);
    } catch (over) {
      if (over instanceof RateLimiterRes) return this.standing(over, true);
      throw over;
    }
  }

  /** Counts nothing. */
  async look(key: string): Promise<RateState> {
    const found = await this.limiter.get(key);
    return found === null ? this.untouched() : this.standing(found, found.consumedPoints > this.policy.quota);
  }

  /** Takes one count back. */
  async giveBack(key: string): Promise<void> {
    const { consumedPoints } = await this.limiter.reward(key);
    // The count was cleared meanwhile, or its window ended: what is below nothing would be a present.
    if (consumedPoints < 0) await this.clear(key);
  }

  async clear(key: string): Promise<void> {
    await this.limiter.delete(key);
  }

  /** Where nothing was counted yet. */
  untouched(): RateState {
    const { quota } = this.policy;
    return { policy: this.policy, taken: 0, remaining: quota, resetSecs: 0, isOver: false };
  }

  private get limiter(): RateLimiterLike {
    return this.counts.isAway ? this.memory : this.shared;
  }

  private standing({ consumedPoints, msBeforeNext }: RateLimiterRes, isOver: boolean): RateState {
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
