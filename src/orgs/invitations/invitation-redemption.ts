import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import type { UserEntity } from '../../identity/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import type { TenantEvent } from '../../tenancy/index.js';
import { covers, RoleRepository } from '../../rbac/index.js';
import type { Role } from '../../rbac/index.js';
import { CurrentPermissions } from '../commands/current-permissions.js';
import { InvitationRepository } from './invitation.repository.js';
import type { Invitation } from './invitation.repository.js';
import { insertMember, MemberRepository } from '../members/member.repository.js';
import type { Member } from '../members/member.repository.js';
import { MembershipQuotas, OWNER_ROLE } from '../members/membership-quotas.js';
import { Memberships } from '../members/memberships.js';

const INVITE = 'auth:members:invite';

/** Whether the role adds permissions and removes none. An owner never gains by another role. */
function raises(member: Member, role: Role): boolean {
  if (member.role === role.name || member.role === OWNER_ROLE) return false;
  return member.permissions.every((permission) => covers(role.permissions, permission));
}

/** Turns an invitation into a membership, by the inviter's permissions now, not at the time of the invitation. */
@Injectable()
export class InvitationRedemption {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly members: MemberRepository,
    private readonly roles: RoleRepository,
    private readonly permissions: CurrentPermissions,
    private readonly memberships: Memberships,
    private readonly quotas: MembershipQuotas,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * @param tx holds the organization
   * @param invitation read in this transaction, pending and not expired
   * @throws role_deleted, invitation_void, limit_reached, invalid_access_token when the account was deleted meanwhile
   */
  async redeem(tx: Tx, invitation: Invitation, user: UserEntity, origin: Origin): Promise<void> {
    const { id, orgId } = invitation;
    const role = await this.roles.find(tx, orgId, invitation.role);
    if (role === null) throw new ServiceError('role_deleted');
    await this.requireInviterMayGive(tx, invitation, role);
    await this.invitations.end(tx, orgId, id, 'accepted');
    const { role: granted, events } = await this.join(tx, invitation, role, user.id);
    await this.audit.append(tx, {
      actor: { type: 'user', id: user.id },
      action: 'invitation.accepted',
      target: { type: 'invitation', id },
      tenantId: orgId,
      userId: null,
      origin,
      details: {
        user_id: user.id,
        role: granted,
        invited_by: { type: invitation.inviterType, id: invitation.inviterId },
      },
      events,
    });
    await this.memberships.changed(tx, user.id);
  }

  private async requireInviterMayGive(tx: Tx, invitation: Invitation, role: Role): Promise<void> {
    const inviter = { type: invitation.inviterType, id: invitation.inviterId };
    const ofInviter = (await this.permissions.permissionsOf(tx, invitation.orgId, inviter)) ?? [];
    if (![INVITE, ...role.permissions].every((permission) => covers(ofInviter, permission)))
      throw new ServiceError('invitation_void');
  }

  /** @returns the role that the user has afterwards, and what became of the membership */
  private async join(
    tx: Tx,
    { orgId }: Invitation,
    role: Role,
    userId: string,
  ): Promise<{ role: string; events: TenantEvent[] }> {
    const member = await this.members.find(tx, orgId, userId);
    const data = { user_id: userId, role: role.name };
    if (member === null) {
      await this.quotas.requireMembershipQuota(tx, userId, role.name, orgId);
      await insertMember(tx, { orgId, userId, role: role.name });
      return { role: role.name, events: [{ type: 'member.added', data }] };
    }
    if (raises(member, role)) {
      if (role.name === OWNER_ROLE) await this.quotas.requireOwnerQuota(tx, userId);
      await this.members.setRole(tx, orgId, userId, role.name);
      const changed = { ...data, former_role: member.role };
      return { role: role.name, events: [{ type: 'member.role_changed', data: changed }] };
    }
    return { role: member.role, events: [] };
  }
}
