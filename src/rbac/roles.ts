import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/index.js';
import { pageOf, positionText, ServiceError } from '../http/index.js';
import type { ListPosition, Page, Requester, TenantId } from '../http/index.js';
import { OrganizationCommands, RoleAssignments } from './organization-commands.js';
import type { OrganizationCommand } from './organization-commands.js';
import { requireCovered } from './permission.js';
import { RoleRepository } from './role.repository.js';
import type { Role } from './role.repository.js';

/** The roles of an organization: the built-in ones and its own. */
@Injectable()
export class Roles {
  constructor(
    private readonly database: Database,
    private readonly commands: OrganizationCommands,
    private readonly roles: RoleRepository,
    private readonly assignments: RoleAssignments,
  ) {}

  async list(organizationId: TenantId, limit: number, before: ListPosition | null): Promise<Page<Role>> {
    const found = await this.roles.list(this.database.reader, organizationId, limit + 1, before);
    return pageOf(found, limit, positionText);
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
    return await this.commands.run(by, attempt, async (command) => {
      requireCovered(command.currentPermissions, permissions);
      await command.requireQuota('roles', () => this.roles.count(command.tx, command.organizationId));
      if (!(await this.roles.insertRole(command.tx, command.organizationId, name, permissions)))
        throw new ServiceError('role_exists');
      await command.record('role.created', target, { permissions });
      return { name, permissions, builtin: false };
    });
  }

  /**
   * Changes what a role allows, for everyone who has it.
   * @throws role_not_found, builtin_role, permission_not_held for its former and for its new permissions
   */
  async update(by: Requester, name: string, wanted: readonly string[]): Promise<Role> {
    const permissions = [...new Set(wanted)];
    const target = { type: 'role', id: name };
    const attempt = { permission: 'auth:roles:update', action: 'role.update', target };
    return await this.commands.run(by, attempt, async (command) => {
      const role = await this.requireCustom(command, name);
      requireCovered(command.currentPermissions, role.permissions);
      requireCovered(command.currentPermissions, permissions);
      await this.roles.setPermissions(command.tx, command.organizationId, name, permissions);
      await command.record('role.updated', target, { from: role.permissions, to: permissions });
      await this.assignments.permissionsChanged(command.tx, command.organizationId);
      return { name, permissions, builtin: false };
    });
  }

  /** @throws role_not_found, builtin_role, permission_not_held, role_in_use */
  async delete(by: Requester, name: string): Promise<void> {
    const target = { type: 'role', id: name };
    const attempt = { permission: 'auth:roles:delete', action: 'role.deletion', target };
    await this.commands.run(by, attempt, async (command) => {
      const role = await this.requireCustom(command, name);
      requireCovered(command.currentPermissions, role.permissions);
      const { tx, organizationId } = command;
      if (await this.assignments.has(tx, organizationId, name)) throw new ServiceError('role_in_use');
      await this.roles.delete(tx, organizationId, name);
      await command.record('role.deleted', target, { permissions: role.permissions });
    });
  }

  private async requireCustom({ tx, organizationId }: OrganizationCommand, name: string): Promise<Role> {
    const role = await this.roles.find(tx, organizationId, name);
    if (role === null) throw new ServiceError('role_not_found');
    if (role.builtin) throw new ServiceError('builtin_role');
    return role;
  }
}
