import { Injectable } from '@nestjs/common';
import { CacheInvalidation, InvalidatedCache } from '../../cache-invalidation/index.js';
import type { MaybePromise } from '../../cache-invalidation/index.js';
import type { UserOrganizationDto, UserOrganizations } from '../../identity/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { decodeCursor, pageOf } from '../../http/index.js';
import type { Page, PageQuery } from '../../http/index.js';
import { MembershipRepository } from './membership.repository.js';
import type { Membership, UserOrganization } from './membership.repository.js';

const MAX_MEMBERSHIPS = 50_000;
/** A role may allow 16 kB of permissions: four thousand members of such roles are kept at once. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Separate from members, so that requests of strangers do not evict them. */
const MAX_STRANGERS = 5_000;

/** Approximate bytes of a membership without its permissions, and of a permission without its characters. */
const MEMBERSHIP_BYTES = 500;
const PERMISSION_BYTES = 40;

function bytesOf({ permissions }: Membership): number {
  return permissions.reduce(
    (bytes, permission) => bytes + PERMISSION_BYTES + permission.length,
    MEMBERSHIP_BYTES,
  );
}

/**
 * Memberships, read one by one through a cache in this process, so that a request needs no database once the cache is
 * warm, and a user with thousands of organizations costs no more than a user with one. Every instance drops the entries
 * of a user or an organization when a change commits.
 */
@Injectable()
export class Memberships {
  private readonly members: InvalidatedCache<Membership | null>;
  /** The only organization of each user; null where there is none or more than one. */
  private readonly onlyOnes: InvalidatedCache<string | null>;

  constructor(
    private readonly database: Database,
    private readonly repository: MembershipRepository,
    private readonly changes: CacheInvalidation,
  ) {
    this.members = new InvalidatedCache<Membership | null>(changes, ['membership', 'user'], {
      maxEntries: MAX_MEMBERSHIPS,
      maxAbsent: MAX_STRANGERS,
      maxBytes: MAX_BYTES,
      bytesOf,
    });
    this.onlyOnes = new InvalidatedCache(changes, ['membership', 'user'], { maxEntries: MAX_MEMBERSHIPS });
  }

  /** The membership of a user in an organization; null for others. */
  find(userId: string, orgId: string): MaybePromise<Membership | null> {
    return this.members.find(
      `${userId} ${orgId}`,
      () => this.repository.find(this.database.reader, userId, orgId),
      () => [userId, orgId],
    );
  }

  /** The only organization of a user; null where there is none, or more than one. */
  onlyOrganizationOf(userId: string): MaybePromise<string | null> {
    // Of more than two organizations, two suffice: only the end of one of these two can leave a single one.
    const found: string[] = [];
    return this.onlyOnes.find(
      userId,
      async () => {
        found.push(...(await this.repository.findTwoOfUser(this.database.reader, userId)));
        return found.length === 1 ? (found[0] ?? null) : null;
      },
      () => [userId, ...found],
    );
  }

  /**
   * To be called in every transaction that changes memberships, with a user's id, or an organization's for all of its
   * members. When it commits, every instance drops the entries.
   */
  async changed(tx: Tx, id: string): Promise<void> {
    await this.changes.announce(tx, { kind: 'membership', id });
  }
}

/** A profile shows so many, which is what `limits.memberships_per_account` allows unless set otherwise. */
const MAX_IN_PROFILE = 1_000;

/** The organizations that a user belongs to, as the user sees them. */
@Injectable()
export class UserMemberships implements UserOrganizations {
  constructor(
    private readonly database: Database,
    private readonly memberships: MembershipRepository,
  ) {}

  /** Newest organization first. @throws validation_failed for a cursor of another list */
  async list(userId: string, { limit, cursor }: PageQuery): Promise<Page<UserOrganization>> {
    const before = decodeCursor(cursor);
    const found = await this.memberships.listOfUser(this.database.reader, userId, limit + 1, before);
    return pageOf(found, limit, ({ id }) => id);
  }

  async ofUser(userId: string): Promise<UserOrganizationDto[]> {
    const found = await this.memberships.listOfUser(this.database.reader, userId, MAX_IN_PROFILE, null);
    return found.map(({ id, slug, name, role }) => ({ id, slug, name, role }));
  }
}
