import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { ServiceError } from '../platform/http/index.js';
import type { Origin, TenantId } from '../platform/http/index.js';
import { MemberRepository } from './member.repository.js';
import { Memberships } from './memberships.js';
import { OrganizationRepository } from './organization.repository.js';

/** Takes an account out of all of its organizations, in the transaction that deletes it. */
@Injectable()
export class AccountDeparture {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly members: MemberRepository,
    private readonly memberships: Memberships,
    private readonly audit: AuditTrail,
  ) {}

  /** @param tx holds the user's row FOR UPDATE, so that no membership comes meanwhile. @throws last_owner */
  async leaveAll(tx: Tx, userId: string, origin: Origin): Promise<void> {
    for (const id of await this.organizations.lockAllOfUser(tx, userId)) {
      await this.leave(tx, id as TenantId, userId, origin);
    }
    await this.memberships.changed(tx, userId);
  }

  private async leave(tx: Tx, orgId: TenantId, userId: string, origin: Origin): Promise<void> {
    const member = await this.members.find(tx, orgId, userId);
    if (member === null) return;
    if (member.role === 'owner' && !(await this.members.hasOtherOwner(tx, orgId, userId)))
      throw new ServiceError('last_owner');
    await this.members.delete(tx, orgId, userId);
    await this.audit.append(tx, {
      actor: { type: 'user', id: userId },
      action: 'member.left',
      target: { type: 'user', id: userId },
      orgId,
      userId: null,
      origin,
      details: { role: member.role, because: 'account deleted' },
    });
  }
}
