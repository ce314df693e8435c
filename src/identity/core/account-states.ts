import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ChangeFeed } from '../../events/index.js';
import { Database } from '../../platform/database/index.js';
import { UserRepository } from './user.repository.js';

/** The longest that a missed announcement can keep an old answer alive. */
const LIFETIME_MS = 30_000;
const MAX_USERS = 10_000;

/**
 * Whether accounts are in use, from memory: an access token outlives its session, but not its account. A
 * disabled or deleted user is refused everywhere as soon as the change is announced.
 */
@Injectable()
export class AccountStates {
  private readonly cache = new LRUCache<string, boolean>({ max: MAX_USERS, ttl: LIFETIME_MS });
  /** Counts the invalidations, so that what was read before one is not kept after it. */
  private generation = 0;

  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    changes: ChangeFeed,
  ) {
    changes.onChange((change) => {
      if (change === 'everything') this.forget(null);
      else if (change.kind === 'user') this.forget(change.id === '*' ? null : change.id);
    });
  }

  async isActive(userId: string): Promise<boolean> {
    const known = this.cache.get(userId);
    if (known !== undefined) return known;
    const { generation } = this;
    const user = await this.users.findById(this.database.reader, userId);
    const isActive = user !== null && user.disabledAt === null;
    if (generation === this.generation) this.cache.set(userId, isActive);
    return isActive;
  }

  /** @param userId null for everyone */
  forget(userId: string | null): void {
    this.generation += 1;
    if (userId === null) this.cache.clear();
    else this.cache.delete(userId);
  }
}
