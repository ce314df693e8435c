import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ChangeFeed } from '../events/index.js';
import { afterCommit, Database } from '../platform/database/index.js';
import type { Tx } from '../platform/database/index.js';
import { MembershipRepository } from './membership.repository.js';
import type { Membership } from './membership.repository.js';

/** The longest that a missed announcement can keep an old answer alive (contract section 5). */
const LIFETIME_MS = 30_000;
const MAX_USERS = 10_000;

/**
 * Who is what, where: read through a cache in this process, so that a warm request asks no database. Every
 * instance forgets a user or an organization when a change of theirs commits.
 */
@Injectable()
export class Memberships {
  private readonly cache = new LRUCache<string, readonly Membership[]>({ max: MAX_USERS, ttl: LIFETIME_MS });
  /** Counts the invalidations, so that what was read before one is not kept after it. */
  private generation = 0;

  constructor(
    private readonly database: Database,
    private readonly repository: MembershipRepository,
    private readonly changes: ChangeFeed,
  ) {
    changes.onChange((change) => {
      if (change === 'everything') this.forget('*');
      else if (change.kind === 'membership' || change.kind === 'user') this.forget(change.id);
    });
  }

  /** All memberships of a user. */
  async ofUser(userId: string): Promise<readonly Membership[]> {
    const known = this.cache.get(userId);
    if (known !== undefined) return known;
    const { generation } = this;
    const memberships = await this.repository.ofUser(this.database.reader, userId);
    if (generation === this.generation) this.cache.set(userId, memberships);
    return memberships;
  }

  /**
   * To be called in every transaction that changes who is what: a user's id, or an organization's for all of
   * its members. Once it commits, this instance has forgotten, and the others are told.
   */
  async changed(tx: Tx, id: string): Promise<void> {
    await this.changes.announce(tx, { kind: 'membership', id });
    afterCommit(tx, () => {
      this.forget(id);
    });
  }

  /** Forgets what is known of a user, of everyone in an organization, or with `*` of all. */
  forget(id: string): void {
    this.generation += 1;
    if (id === '*') this.cache.clear();
    if (this.cache.delete(id)) return;
    for (const [userId, memberships] of this.cache.entries()) {
      if (memberships.some((membership) => membership.orgId === id)) this.cache.delete(userId);
    }
  }
}
