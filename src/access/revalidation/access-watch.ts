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

/** Whether this change may have ended the caller's access. */
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

/** Checks that run at one time. Each may cost a statement or two. */
const AT_ONCE = 8;

/** Access to a response that continues. */
export interface WatchedAccess extends Watched {
  /** Equal for callers with the same access and the same credentials, so that one check serves all of them. */
  readonly key: string;
  /** Checks the access; throws if it has ended. */
  readonly require: () => Promise<void>;
}

interface Watch extends WatchedAccess {
  readonly listeners: Set<() => void>;
  checkedAt: number;
}

/**
 * Watches the access of responses that last, such as streams of logs. It checks again as soon as a change that concerns
 * the access is announced, and at intervals without one. Access that does not change costs nothing.
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

  /** @returns what ends the watch; `lost` is called at most once, and not after the watch has ended */
  watch(access: WatchedAccess, lost: () => void): () => void {
    const watch = this.watches.get(access.key) ?? { ...access, listeners: new Set(), checkedAt: 0 };
    this.watches.set(access.key, watch);
    watch.listeners.add(lost);
    // Nobody was notified of a change between the guards' check and now.
    this.doubted.add(watch);
    this.timer ??= setTimeout(() => void this.round(), 0).unref();
    return () => {
      watch.listeners.delete(lost);
      if (watch.listeners.size === 0) this.forget(watch);
    };
  }

  /** Repeats while there is access to watch. */
  private async round(): Promise<void> {
    const now = performance.now();
    const { recheckMs: announced, recheckUnannouncedMs, roundMs } = this.timing;
    for (const watch of this.watches.values()) {
      const { type } = watch.caller;
      // Some changes are not announced: the expiry of a token, a notification that was missed, the end of an attempt
      // (which would cost a notification for every run) and the removal of an operator.
      const recheckMs = type === 'run' || type === 'operator' ? recheckUnannouncedMs : announced;
      if (now - watch.checkedAt >= recheckMs) this.doubted.add(watch);
    }
    const doubted = [...this.doubted];
    this.doubted.clear();
    await Promise.all(doubted.map((watch) => this.limit(() => this.require(watch, now))));
    this.timer = this.watches.size === 0 ? null : setTimeout(() => void this.round(), roundMs).unref();
  }

  private async require(watch: Watch, at: number): Promise<void> {
    watch.checkedAt = at;
    try {
      // A check that gets no answer must not delay the others.
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
