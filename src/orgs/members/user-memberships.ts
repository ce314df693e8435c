import { Injectable } from '@nestjs/common';
import type { UserOrganizationDto, UserOrganizations } from '../../identity/index.js';
import { Database } from '../../platform/database/index.js';
import { decodeCursor, pageOf } from '../../platform/http/index.js';
import type { Page, PageQuery } from '../../platform/http/index.js';
import { MembershipRepository } from './membership.repository.js';
import type { UserOrganization } from './membership.repository.js';

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
