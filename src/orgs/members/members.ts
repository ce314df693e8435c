import { Injectable } from '@nestjs/common';
import { isUuid } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { pageOf, positionText, ServiceError } from '../../http/index.js';
import type { ListPosition, Page, Requester, TenantId } from '../../http/index.js';
import { covers, OrganizationCommands, requireCovered, RoleRepository } from '../../rbac/index.js';
import type { OrganizationCommand } from '../../rbac/index.js';
import { MemberKeys } from './member-keys.js';
import { MemberRepository } from './member.repository.js';
import type { Member } from './member.repository.js';
import { MembershipQuotas, OWNER_ROLE } from './membership-quotas.js';
import { Memberships } from './memberships.js';

const REMOVAL = 'auth:members:delete';

/** Who belongs to an organization, and in what role. */
@Injectable()
export class Members {
  constructor(
    private readonly database: Database,
    private readonly commands: OrganizationCommands,
    private readonly members: MemberRepository,
    private readonly roles: RoleRepository,
    private readonly memberships: Memberships,
    private readonly quotas: MembershipQuotas,
    private readonly keys: MemberKeys,
  ) {}

  async list(organizationId: TenantId, limit: number, before: ListPosition | null): Promise<Page<Member>> {
    const found = await this.members.list(this.database.reader, organizationId, limit + 1, before);
    return pageOf(found, limit, positionText);
  }

  /** @throws member_not_found, unknown_role, permission_not_held, last_owner, limit_reached */
  async changeRole(by: Requester, memberId: string, roleName: string): Promise<Member> {
    const userId = memberId.toLowerCase();
    const target = { type: 'user', id: userId };
    const attempt = { permission: 'auth:members:update', action: 'member.role_change', target };
    return await this.commands.run(by, attempt, async (command) => {
      const { tx, organizationId, currentPermissions } = command;
      const member = await this.requireMember(command, userId);
      const role = await this.roles.find(tx, organizationId, roleName);
      if (role === null) throw new ServiceError('unknown_role');
      requireCovered(currentPermissions, member.permissions);
      requireCovered(currentPermissions, role.permissions);
      if (role.name === member.role) return member;
      await this.requireOwnerWithout(command, member);
      if (role.name === OWNER_ROLE) await this.quotas.requireOwnerQuota(tx, member.userId);
      await this.members.setRole(tx, organizationId, member.userId, role.name);
      await command.record('member.role_changed', target, { from: member.role, to: role.name });
      await this.memberships.changed(tx, member.userId);
      return { ...member, role: role.name, permissions: role.permissions };
    });
  }

  /**
   * Removes a member, and with `revokesKeys` the API keys that the member made. Anyone may leave.
   * @throws member_not_found, permission_denied, permission_not_held, last_owner
   */
  async remove(by: Requester, memberId: string, revokesKeys = false): Promise<void> {
    const userId = memberId.toLowerCase();
    const isLeaving = by.caller.type === 'user' && by.caller.userId === userId;
    const target = { type: 'user', id: userId };
    const attempt = {
      permission: isLeaving ? null : REMOVAL,
      action: 'member.removal',
      target,
    };
    // The guard admits every member, so that they can leave. Members without the permission must not queue for the lock
    // either.
    if (!isLeaving && !covers(by.tenant.permissions, REMOVAL))
      throw new ServiceError('permission_denied', { hint: `This needs the permission ${REMOVAL}.` });
    await this.commands.run(by, attempt, async (command) => {
      const member = await this.requireMember(command, userId);
      requireCovered(command.currentPermissions, member.permissions);
      await this.requireOwnerWithout(command, member);
      if (revokesKeys) await this.keys.revoke(command, member.userId);
      await this.members.delete(command.tx, command.organizationId, member.userId);
      await command.record(isLeaving ? 'member.left' : 'member.removed', target, { role: member.role });
      await this.memberships.changed(command.tx, member.userId);
    });
  }

  private async requireMember({ tx, organizationId }: OrganizationCommand, userId: string): Promise<Member> {
    const member = isUuid(userId) ? await this.members.find(tx, organizationId, userId) : null;
    if (member === null) throw new ServiceError('member_not_found');
    return member;
  }

  /** An owner gives up ownership only where another one, who can sign in, keeps it. */
  private async requireOwnerWithout(
    { tx, organizationId }: OrganizationCommand,
    member: Member,
  ): Promise<void> {
    if (member.role !== OWNER_ROLE) return;
    if (await this.members.hasOtherOwner(tx, organizationId, member.userId)) return;
    throw new ServiceError('last_owner', { hint: 'Give another member the role owner first.' });
  }
}
