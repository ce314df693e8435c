import { Inject, Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import pTimeout from 'p-timeout';
import { CacheInvalidation } from '../../cache-invalidation/index.js';
import type { Change } from '../../cache-invalidation/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { Caller, OperatorCaller } from '../../http/index.js';

/** The caller of a streamed response, and the tenant that it concerns; null for an operator's. */
export interface Watched {
  readonly caller: Caller | OperatorCaller;
  readonly tenantId: string | null;
}

/** Whether the caller's access may have ended by this change. */
export function concerns({ kind, id }: Change, { caller, tenantId }: Watched): boolean {
  const isOneOf = (...ids: readonly (string | null)[]): boolean => id === '*' || ids.includes(id);
  const account = caller.type === 'operator' ? caller.account : caller.type === 'user' ? caller : null;
  switch (kind) {
    case 'user':
      return account !== null && isOneOf(account.userId);
    case 'membership':
      return caller.type === 'user' && isOneOf(caller.userId, tenantId);
    case 'api_key':
      return caller.type === 'api_key' && isOneOf(caller.keyId);
    case 'organization':
    case 'project':
      return tenantId !== null && isOneOf(tenantId);
    case 'run_taken':
      return caller.type === 'run' && isOneOf(caller.runId);
    case 'signing_keys':
      return account !== null || caller.type === 'run';
    case 'signing_secret':
    case 'run_operation':
      return false;
  }
}

/** Of what is asked at once; each may cost a statement or two. */
const AT_ONCE = 8;

/** An access that lasts. */
export interface WatchedAccess extends Watched {
  /** Equal for callers that request the same access with the same credentials: one check serves all of them. */
  readonly key: string;
  /** Asks whether the access still stands; throws when not. */
  readonly require: () => Promise<void>;
}

interface Watch extends WatchedAccess {
  readonly listeners: Set<() => void>;
  demandedAt: number;
}

/**
 * Watches the access of answers that go on for long, such as streams of logs: asks again as soon as a change that
 * concerns it is announced, and now and then without one. Whose access did not change costs nothing.
 */
@Injectable()
export class AccessWatch {
  private readonly watches = new Map<string, Watch>();
  private readonly doubted = new Set<Watch>();
  private readonly limit = pLimit(AT_ONCE);
  private readonly timing: Config['timing']['access'];
  private timer: NodeJS.Timeout | null = null;

  constructor(@Inject(CONFIG) config: Config, changes: CacheInvalidation) {
    this.timing = config.timing.access;
    changes.onChange((change) => {
      for (const watch of this.watches.values())
        if (change === 'everything' || concerns(change, watch)) this.doubted.add(watch);
    });
  }

  /** @returns what ends the watch; `lost` is called at most once, and not after that */
  watch(access: WatchedAccess, lost: () => void): () => void {
    const watch = this.watches.get(access.key) ?? { ...access, listeners: new Set(), demandedAt: 0 };
    this.watches.set(access.key, watch);
    watch.listeners.add(lost);
    // What changed between the guards' look and now was announced to nobody.
    this.doubted.add(watch);
    this.timer ??= setTimeout(() => void this.round(), 0).unref();
    return () => {
      watch.listeners.delete(lost);
      if (watch.listeners.size === 0) this.forget(watch);
    };
  }

  /** Runs while there is somebody to watch, one round after the other. */
  private async round(): Promise<void> {
    const now = performance.now();
    const { recheckMs: announced, recheckUnannouncedMs, roundMs } = this.timing;
    for (const watch of this.watches.values()) {
      const { type } = watch.caller;
      // Not announced are the expiry of a token and a change that was missed; nor is the end of an attempt, which would
      // cost every run a notification, or the removal of an operator.
      const recheckMs = type === 'run' || type === 'operator' ? recheckUnannouncedMs : announced;
      if (now - watch.demandedAt >= recheckMs) this.doubted.add(watch);
    }
    const doubted = [...this.doubted];
    this.doubted.clear();
    await Promise.all(doubted.map((watch) => this.limit(() => this.require(watch, now))));
    this.timer = this.watches.size === 0 ? null : setTimeout(() => void this.round(), roundMs).unref();
  }

  private async require(watch: Watch, at: number): Promise<void> {
    watch.demandedAt = at;
    try {
      // What gets no answer holds up no other.
      await pTimeout(watch.require(), { milliseconds: this.timing.patienceMs });
    } catch {
      this.forget(watch);
      for (const lost of watch.listeners) lost();
    }
  }

  private forget(watch: Watch): void {
    this.doubted.delete(watch);
    if (this.watches.get(watch.key) === watch) this.watches.delete(watch.key);
  }
}
