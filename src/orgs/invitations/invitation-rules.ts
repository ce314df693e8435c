import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../http/index.js';
import { requireCovered, RoleRepository } from '../../rbac/index.js';
import type { OrganizationCommand } from '../../rbac/index.js';
import { MemberRepository } from '../members/member.repository.js';

/** Whom someone may invite, and to which roles. */
@Injectable()
export class InvitationRules {
  constructor(
    private readonly members: MemberRepository,
    private readonly roles: RoleRepository,
  ) {}

  /** @throws unknown_role, permission_not_held, already_member */
  async requireInvitable(
    { tx, organizationId, currentPermissions }: OrganizationCommand,
    email: string,
    roleName: string,
  ): Promise<void> {
    const role = await this.roles.find(tx, organizationId, roleName);
    if (role === null) throw new ServiceError('unknown_role');
    requireCovered(currentPermissions, role.permissions);
    if (await this.members.hasEmail(tx, organizationId, email)) throw new ServiceError('already_member');
  }

  /** The role of an expired invitation may have been deleted. @throws permission_not_held */
  async requireRoleHeld(
    { tx, organizationId, currentPermissions }: OrganizationCommand,
    roleName: string,
  ): Promise<void> {
    const role = await this.roles.find(tx, organizationId, roleName);
    if (role !== null) requireCovered(currentPermissions, role.permissions);
  }
}
