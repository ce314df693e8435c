import { LRUCache } from 'lru-cache';
import type { CacheInvalidation, Change } from './cache-invalidation.js';

/** In place of an id: the entry is dropped at every change of the kinds that the cache follows. */
export const ANY_CHANGE = '*';

/** A value that is in memory, or the promise of one that is being read. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Like `then`, but synchronous for a value in memory, so that a request that needs nothing else waits for nothing. */
export function whenResolved<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

interface Bounds<Value> {
  readonly maxEntries: number;
  /** Of keys that stand for nothing (`null`). They are kept apart, so that made-up keys push no real entry out. */
  readonly maxAbsent?: number;
  /** Of all values together, where they differ much in size. */
  readonly maxBytes?: number;
  readonly bytesOf?: (value: Exclude<Value, null>) => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly ids: readonly string[];
}

/**
 * Values in this process's memory. An entry is dropped when a change to one of its ids is announced, by this instance
 * or another. A load that began before a change is not kept, because it may have read the old rows; nor does anyone who
 * asks after the change wait for it. Callers that ask for the same key at the same time share one load.
 */
export class InvalidatedCache<Value> {
  private readonly present: LRUCache<string, Entry<Value>>;
  private readonly absent: LRUCache<string, Entry<Value>>;
  /** The keys of the entries of an id, so that dropping them costs nothing for the others. */
  private readonly keysById = new Map<string, Set<string>>();
  /** The loads that have seen no change since they began. */
  private readonly loads = new Map<string, Promise<Value>>();

  /** @param kinds the kinds of changes that concern these values */
  constructor(changes: CacheInvalidation, kinds: readonly Change['kind'][], bounds: Bounds<Value>) {
    const { maxEntries, maxAbsent = maxEntries, maxBytes, bytesOf } = bounds;
    // If the notification of a change is missed (contract section 5). Each reading of the clock sets a timer.
    const { lifetimeMs, clockMs } = changes.timing;
    const dispose = ({ ids }: Entry<Value>, key: string): void => {
      this.forgetIds(key, ids);
    };
    const size =
      maxBytes === undefined || bytesOf === undefined
        ? {}
        : {
            maxSize: maxBytes,
            sizeCalculation: ({ value }: Entry<Value>) => bytesOf(value as Exclude<Value, null>),
          };
    this.present = new LRUCache({
      max: maxEntries,
      ttl: lifetimeMs,
      ttlResolution: clockMs,
      dispose,
      ...size,
    });
    this.absent = new LRUCache({
      max: maxAbsent,
      ttl: Math.max(lifetimeMs - clockMs, 1),
      ttlResolution: clockMs,
      dispose,
    });
    changes.onChange((change) => {
      if (change === 'everything') this.clear();
      else if (kinds.includes(change.kind)) this.drop(change.id);
    });
  }

  /** @param idsOf the ids whose change makes the value outdated */
  find(
    key: string,
    load: () => Promise<Value>,
    idsOf: (value: Value) => readonly string[],
  ): MaybePromise<Value> {
    const known = this.present.get(key) ?? this.absent.get(key);
    return known === undefined ? (this.loads.get(key) ?? this.load(key, load, idsOf)) : known.value;
  }

  private async load(
    key: string,
    load: () => Promise<Value>,
    idsOf: (value: Value) => readonly string[],
  ): Promise<Value> {
    const loading = load();
    this.loads.set(key, loading);
    try {
      const value = await loading;
      if (this.loads.get(key) === loading) this.keep(key, { value, ids: idsOf(value) });
      return value;
    } finally {
      if (this.loads.get(key) === loading) this.loads.delete(key);
    }
  }

  private keep(key: string, entry: Entry<Value>): void {
    const cache = entry.value === null ? this.absent : this.present;
    cache.set(key, entry);
    // A value that is larger than `maxBytes` is not kept.
    if (!cache.has(key)) return;
    for (const id of entry.ids) this.keysById.set(id, (this.keysById.get(id) ?? new Set()).add(key));
  }

  private forgetIds(key: string, ids: readonly string[]): void {
    for (const id of ids) {
      const keys = this.keysById.get(id);
      keys?.delete(key);
      if (keys?.size === 0) this.keysById.delete(id);
    }
  }

  private drop(id: string): void {
    if (id === '*') {
      this.clear();
      return;
    }
    this.loads.clear();
    for (const key of [...(this.keysById.get(id) ?? []), ...(this.keysById.get(ANY_CHANGE) ?? [])]) {
      this.present.delete(key);
      this.absent.delete(key);
    }
  }

  private clear(): void {
    this.loads.clear();
    this.present.clear();
    this.absent.clear();
  }
}
