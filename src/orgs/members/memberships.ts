import { Injectable } from '@nestjs/common';
import { CacheInvalidation } from '../../events/index.js';
import { afterCommit, Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ResponseCache } from '../directory/response-cache.js';
import { MembershipRepository } from './membership.repository.js';
import type { Membership } from './membership.repository.js';

const MAX_ANSWERS = 50_000;
/** A role may allow 16 kB of permissions: four thousand members of such roles are kept at once. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Fewer, and apart, so that strangers who ask push no member out. */
const MAX_STRANGERS = 5_000;

/** What a membership takes besides its permissions, and one of those besides its characters: about, in bytes. */
const MEMBERSHIP_BYTES = 500;
const PERMISSION_BYTES = 40;

function bytesOf({ permissions }: Membership): number {
  return permissions.reduce(
    (bytes, permission) => bytes + PERMISSION_BYTES + permission.length,
    MEMBERSHIP_BYTES,
  );
}

/**
 * Who is what, where: read one by one through a cache in this process, so that a warm request asks no database, and
 * a user of thousands of organizations costs no more than one of a single. Every instance forgets a user or an
 * organization when a change of theirs commits.
 */
@Injectable()
export class Memberships {
  private readonly members = new ResponseCache<Membership>({
    maxAnswers: MAX_ANSWERS,
    maxBytes: MAX_BYTES,
    bytesOf,
  });
  private readonly strangers = new ResponseCache<true>({ maxAnswers: MAX_STRANGERS });
  /** The only organization of each user; null where there is none or more than one. */
  private readonly onlyOnes = new ResponseCache<string | null>({ maxAnswers: MAX_ANSWERS });
  /** Counts the invalidations, so that what was read before one is not kept after it. */
  private generation = 0;

  constructor(
    private readonly database: Database,
    private readonly repository: MembershipRepository,
    private readonly changes: CacheInvalidation,
  ) {
    changes.onChange((change) => {
      if (change === 'everything') this.forget('*');
      else if (change.kind === 'membership' || change.kind === 'user') this.forget(change.id);
    });
  }

  /** What a user is in an organization; null for who is no member. */
  async find(userId: string, orgId: string): Promise<Membership | null> {
    const key = `${userId} ${orgId}`;
    const known = this.members.get(key);
    if (known !== undefined) return known;
    if (this.strangers.get(key) === true) return null;
    const { generation } = this;
    const membership = await this.repository.find(this.database.reader, userId, orgId);
    if (generation === this.generation) {
      if (membership === null) this.strangers.set(key, true, [userId, orgId]);
      else this.members.set(key, membership, [userId, orgId]);
    }
    return membership;
  }

  /** The only organization of a user; null where there is none, or more than one. */
  async onlyOrganizationOf(userId: string): Promise<string | null> {
    const known = this.onlyOnes.get(userId);
    if (known !== undefined) return known;
    const { generation } = this;
    const found = await this.repository.findTwoOfUser(this.database.reader, userId);
    const only = found.length === 1 ? (found[0] ?? null) : null;
    // Of more than two, the others may go: it is the end of one of these two that may leave a single one.
    if (generation === this.generation) this.onlyOnes.set(userId, only, [userId, ...found]);
    return only;
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
    for (const cache of [this.members, this.strangers, this.onlyOnes]) {
      if (id === '*') cache.clear();
      else cache.forget(id);
    }
  }
}
