import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import type { Actor, Target } from '../../audit/index.js';
import { UserRepository } from '../../identity/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { ListPosition, Origin, Page, TenantId } from '../../http/index.js';
import { RoleRepository } from '../../rbac/index.js';
import { OrganizationDirectory } from '../directory/organization-directory.js';
import { OrganizationRepository } from '../directory/organization.repository.js';
import { insertMember, MemberRepository } from './member.repository.js';
import type { Member } from './member.repository.js';
import { MemberKeys } from './member-keys.js';
import { Members } from './members.js';
import { MembershipQuotas, OWNER_ROLE } from './membership-quotas.js';
import { Memberships } from './memberships.js';

/** Operators need no permission in an organization. */
const EVERYTHING = ['*'];

/** A change by the operator of who belongs to an organization, which is named by id or slug. */
export interface MemberAct {
  readonly org: string;
  readonly userId: string;
  readonly actor: Actor;
  readonly origin: Origin;
}

/** The changes of `OperatorMembers`, each in a transaction that locks the organization. */
@Injectable()
export class OperatorMemberChanges {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly users: UserRepository,
    private readonly members: MemberRepository,
    private readonly roles: RoleRepository,
    private readonly quotas: MembershipQuotas,
    private readonly memberships: Memberships,
    private readonly audit: AuditTrail,
  ) {}

  async put(tx: Tx, orgId: TenantId, act: MemberAct, roleName: string): Promise<Member> {
    await this.lock(tx, orgId);
    const user = isUuid(act.userId) ? await this.users.findById(tx, act.userId) : null;
    if (user === null) throw new ServiceError('user_not_found');
    if (user.disabledAt !== null) throw new ServiceError('user_disabled');
    if ((await this.roles.find(tx, orgId, roleName)) === null) throw new ServiceError('unknown_role');
    const member = await this.members.find(tx, orgId, user.id);
    if (member === null) {
      await this.quotas.requireMembershipQuota(tx, user.id, roleName, orgId);
      await insertMember(tx, { orgId, userId: user.id, role: roleName });
      await this.record(tx, orgId, act, 'member.added', { role: roleName });
    } else if (member.role !== roleName) {
      if (member.role === OWNER_ROLE) await this.requireOtherOwner(tx, orgId, user.id);
      if (roleName === OWNER_ROLE) await this.quotas.requireOwnerQuota(tx, user.id);
      await this.members.setRole(tx, orgId, user.id, roleName);
      await this.record(tx, orgId, act, 'member.role_changed', { from: member.role, to: roleName });
    } else return member;
    await this.memberships.changed(tx, user.id);
    const changed = await this.members.find(tx, orgId, user.id);
    if (changed === null) throw new ServiceError('member_not_found');
    return changed;
  }

  async remove(tx: Tx, orgId: TenantId, act: MemberAct): Promise<void> {
    await this.lock(tx, orgId);
    const member = isUuid(act.userId) ? await this.members.find(tx, orgId, act.userId) : null;
    if (member === null) throw new ServiceError('member_not_found');
    if (member.role === OWNER_ROLE) await this.requireOtherOwner(tx, orgId, member.userId);
    await this.members.delete(tx, orgId, member.userId);
    await this.record(tx, orgId, act, 'member.removed', { role: member.role });
    await this.memberships.changed(tx, member.userId);
  }

  private async lock(tx: Tx, orgId: TenantId): Promise<void> {
    if ((await this.organizations.lock(tx, orgId)) === null) throw new ServiceError('org_not_found');
  }

  private async requireOtherOwner(tx: Tx, orgId: TenantId, userId: string): Promise<void> {
    if (await this.members.hasOtherOwner(tx, orgId, userId)) return;
    throw new ServiceError('last_owner', { hint: 'Make another user, who is not disabled, an owner first.' });
  }

  async record(
    tx: Tx,
    orgId: TenantId,
    { actor, origin, userId }: MemberAct,
    action: string,
    details: Readonly<Record<string, unknown>>,
    target = { type: 'user', id: userId },
  ): Promise<void> {
    await this.audit.append(tx, { actor, action, target, tenantId: orgId, userId: null, origin, details });
  }
}

/**
 * The members of any organization, for the operator: to hand over one whose owner left. The operator needs no permission
 * there, but leaves no organization without an owner who can sign in.
 */
@Injectable()
export class OperatorMembers {
  constructor(
    private readonly database: Database,
    private readonly directory: OrganizationDirectory,
    private readonly changes: OperatorMemberChanges,
    private readonly members: Members,
    private readonly keys: MemberKeys,
  ) {}

  /** Newest first. @throws org_not_found */
  async list(org: string, limit: number, before: ListPosition | null): Promise<Page<Member>> {
    return await this.members.list(await this.directory.idOf(org), limit, before);
  }

  /**
   * Gives a member another role, or adds a user as a member.
   * @throws org_not_found, user_not_found, user_disabled, unknown_role, last_owner, limit_reached
   */
  async put(act: MemberAct, role: string): Promise<Member> {
    const orgId = await this.directory.idOf(act.org);
    return await this.database.serialTransaction(orgId, act.actor, (tx) =>
      this.changes.put(tx, orgId, { ...act, userId: act.userId.toLowerCase() }, role),
    );
  }

  /** @throws org_not_found, member_not_found, last_owner */
  async remove(act: MemberAct, revokesKeys: boolean): Promise<void> {
    const orgId = await this.directory.idOf(act.org);
    const removed = { ...act, userId: act.userId.toLowerCase() };
    await this.database.serialTransaction(orgId, act.actor, async (tx) => {
      await this.changes.remove(tx, orgId, removed);
      if (!revokesKeys) return;
      const command = {
        tx,
        organizationId: orgId,
        currentPermissions: EVERYTHING,
        record: (action: string, target: Target, details: Readonly<Record<string, unknown>>) =>
          this.changes.record(tx, orgId, removed, action, details, target),
      };
      await this.keys.revoke(command, removed.userId);
    });
  }
}
