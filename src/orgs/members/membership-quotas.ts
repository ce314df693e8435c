import { Inject, Injectable } from '@nestjs/common';
import { UserRepository } from '../../identity/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { TenantId } from '../../http/index.js';
import { requireQuota } from '../../limits/index.js';
import { MemberRepository } from './member.repository.js';

export const OWNER_ROLE = 'owner';

/**
 * Limits on the members of an organization, and on the organizations that an account may belong to and own. The
 * account's row is locked while they are counted, so that simultaneous joins are counted one after the other.
 */
@Injectable()
export class MembershipQuotas {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly users: UserRepository,
    private readonly members: MemberRepository,
  ) {}

  /**
   * To be called before a user joins.
   * @param tx holds the organization's lock, unless it creates the organization
   * @param organizationId null for one that is being created
   * @throws limit_reached, invalid_access_token when the account no longer exists
   */
  async requireMembershipQuota(
    tx: Tx,
    userId: string,
    role: string,
    organizationId: TenantId | null,
  ): Promise<void> {
    const { limits } = this.config;
    if (organizationId !== null)
      await requireQuota(limits, 'membersPerOrganization', () => this.members.count(tx, organizationId));
    await this.lockAccount(tx, userId);
    await requireQuota(limits, 'membershipsPerAccount', () => this.members.countOfUser(tx, userId, null));
    if (role === OWNER_ROLE) await this.requireOwnedQuota(tx, userId);
  }

  /** To be called before a member becomes an owner. @param tx holds the organization's lock @throws as above */
  async requireOwnerQuota(tx: Tx, userId: string): Promise<void> {
    await this.lockAccount(tx, userId);
    await this.requireOwnedQuota(tx, userId);
  }

  private async requireOwnedQuota(tx: Tx, userId: string): Promise<void> {
    const owned = (): Promise<number> => this.members.countOfUser(tx, userId, OWNER_ROLE);
    await requireQuota(this.config.limits, 'organizationsPerAccount', owned);
  }

  private async lockAccount(tx: Tx, userId: string): Promise<void> {
    if ((await this.users.lock(tx, userId)) === null) throw new ServiceError('invalid_access_token');
  }
}
