import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { pageOf, ServiceError } from '../../platform/http/index.js';
import type { Page, TenantId } from '../../platform/http/index.js';
import { requireHeld, RoleRepository } from '../../rbac/index.js';
import type { Role } from '../../rbac/index.js';
import { OrganizationCommands } from '../commands/organization-commands.js';
import type { OrganizationCommand, Requester } from '../commands/organization-commands.js';
import { InvitationRepository } from '../invitations/invitation.repository.js';
import { positionText } from '../directory/list-position.js';
import type { ListPosition } from '../directory/list-position.js';
import { MemberRepository } from '../members/member.repository.js';
import { Memberships } from '../members/memberships.js';

/** The roles of an organization: the built-in ones and its own. */
@Injectable()
export class Roles {
  constructor(
    private readonly database: Database,
    private readonly administration: OrganizationCommands,
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly invitations: InvitationRepository,
    private readonly memberships: Memberships,
  ) {}

  async list(organizationId: TenantId, limit: number, before: ListPosition | null): Promise<Page<Role>> {
    const position = before === null ? null : { atMicros: before.atMicros, name: before.key };
    const found = await this.roles.list(this.database.reader, organizationId, limit + 1, position);
    return pageOf(found, limit, ({ atMicros, name }) => positionText({ atMicros, key: name }));
  }

  /** @throws role_not_found */
  async find(organizationId: TenantId, name: string): Promise<Role> {
    const role = await this.roles.find(this.database.reader, organizationId, name);
    if (role === null) throw new ServiceError('role_not_found');
    return role;
  }

  /** @throws permission_not_held, limit_reached, role_exists */
  async create(by: Requester, name: string, wanted: readonly string[]): Promise<Role> {
    const permissions = [...new Set(wanted)];
    const target = { type: 'role', id: name };
    const attempt = { permission: 'auth:roles:create', action: 'role.creation', target };
    return await this.administration.carryOut(by, attempt, async (act) => {
      requireHeld(act.held, permissions);
      await act.requireQuota('roles', () => this.roles.count(act.tx, act.organizationId));
      if (!(await this.roles.insert(act.tx, act.organizationId, name, permissions)))
        throw new ServiceError('role_exists');
      await act.record('role.created', target, { permissions });
      return { name, permissions, builtin: false };
    });
  }

  /**
   * Changes what a role allows, for all who have it.
   * @throws role_not_found, builtin_role, permission_not_held for what it allowed as well as for what it will
   */
  async update(by: Requester, name: string, wanted: readonly string[]): Promise<Role> {
    const permissions = [...new Set(wanted)];
    const target = { type: 'role', id: name };
    const attempt = { permission: 'auth:roles:update', action: 'role.update', target };
    return await this.administration.carryOut(by, attempt, async (act) => {
      const role = await this.requireCustom(act, name);
      requireHeld(act.held, role.permissions);
      requireHeld(act.held, permissions);
      await this.roles.setPermissions(act.tx, act.organizationId, name, permissions);
      await act.record('role.updated', target, { from: role.permissions, to: permissions });
      await this.memberships.changed(act.tx, act.organizationId);
      return { name, permissions, builtin: false };
    });
  }

  /** @throws role_not_found, builtin_role, permission_not_held, role_in_use */
  async delete(by: Requester, name: string): Promise<void> {
    const target = { type: 'role', id: name };
    const attempt = { permission: 'auth:roles:delete', action: 'role.deletion', target };
    await this.administration.carryOut(by, attempt, async (act) => {
      const role = await this.requireCustom(act, name);
      requireHeld(act.held, role.permissions);
      const { tx, organizationId } = act;
      const isUsed =
        (await this.members.hasRole(tx, organizationId, name)) ||
        (await this.invitations.pendingWithRole(tx, organizationId, name));
      if (isUsed) throw new ServiceError('role_in_use');
      await this.roles.delete(tx, organizationId, name);
      await act.record('role.deleted', target, { permissions: role.permissions });
    });
  }

  private async requireCustom({ tx, organizationId }: OrganizationCommand, name: string): Promise<Role> {
    const role = await this.roles.find(tx, organizationId, name);
    if (role === null) throw new ServiceError('role_not_found');
    if (role.builtin) throw new ServiceError('builtin_role');
    return role;
  }
}
