import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';
import { RoleAssignments } from '../../rbac/index.js';
import { MemberRepository } from '../members/member.repository.js';
import { Memberships } from '../members/memberships.js';
import { InvitationRepository } from './invitation.repository.js';

/** Members have roles, and pending invitations grant them. */
@Injectable()
export class OrganizationRoleAssignments extends RoleAssignments {
  constructor(
    private readonly members: MemberRepository,
    private readonly invitations: InvitationRepository,
    private readonly memberships: Memberships,
  ) {
    super();
  }

  async has(tx: Tx, organizationId: TenantId, role: string): Promise<boolean> {
    return (
      (await this.members.hasRole(tx, organizationId, role)) ||
      (await this.invitations.pendingWithRole(tx, organizationId, role))
    );
  }

  async permissionsChanged(tx: Tx, organizationId: TenantId): Promise<void> {
    await this.memberships.changed(tx, organizationId);
  }
}
