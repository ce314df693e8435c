import { Inject, Injectable } from '@nestjs/common';
import type { AuditEvent, AuditContext } from '../../audit/index.js';
import { CacheInvalidation } from '../../cache-invalidation/index.js';
import { DEPLOYMENT_REALM, ImportTenants } from '../../identity/index.js';
import type {
  LockedTenants,
  ImportedAccount,
  ImportProblem,
  TenantField,
  RealmId,
  WantedAccount,
  WantedTenant,
} from '../../identity/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { Tx } from '../../platform/database/index.js';
import { OWNER_ROLE } from '../members/membership-quotas.js';
import { ImportOrganizationRepository } from './import-organizations.repository.js';
import type { NewMember } from './import-organizations.repository.js';
import { ORGANIZATIONS } from './organizations-field.js';

/** Organizations of a batch, locked, and what is known of them. */
interface LockedOrganizations {
  readonly ids: ReadonlyMap<string, string>;
  readonly roles: ReadonlySet<string>;
  /** Counts up as accounts are added. Empty where there is no limit. */
  readonly members: Map<string, number>;
}

/** Imported accounts become members of organizations, with any role that there is. */
@Injectable()
export class OrganizationImports extends ImportTenants {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly organizations: ImportOrganizationRepository,
    private readonly changes: CacheInvalidation,
  ) {
    super();
  }

  override field(): TenantField {
    return ORGANIZATIONS;
  }

  override realmsOf(wanted: readonly WantedAccount[]): Promise<RealmId[]> {
    return Promise.resolve(wanted.map(() => DEPLOYMENT_REALM));
  }

  override async lock(tx: Tx, wanted: readonly WantedAccount[]): Promise<LockedTenants> {
    const locked = await this.lockOrganizations(
      tx,
      wanted.flatMap(({ tenants }) => tenants),
    );
    return {
      problemOf: (account) => this.problemOf(account.tenants, locked),
      addAccounts: async (accounts, by) => await this.addMembers(tx, accounts, locked.ids, by),
    };
  }

  private async lockOrganizations(tx: Tx, wanted: readonly WantedTenant[]): Promise<LockedOrganizations> {
    if (wanted.length === 0) return { ids: new Map(), roles: new Set(), members: new Map() };
    const ids = await this.organizations.lockBySlugs(tx, [...new Set(wanted.map(({ name }) => name))]);
    const orgIds = [...ids.values()];
    const roles = await this.organizations.roles(tx, orgIds, [
      ...new Set(wanted.flatMap(({ role }) => role ?? [])),
    ]);
    const isLimited = this.config.limits.membersPerOrganization > 0;
    const members = isLimited ? await this.organizations.countMembers(tx, orgIds) : new Map<string, number>();
    return { ids, roles, members };
  }

  private problemOf(wanted: readonly WantedTenant[], locked: LockedOrganizations): ImportProblem | null {
    const orgIds: string[] = [];
    for (const { name: slug, role } of wanted) {
      const orgId = locked.ids.get(slug);
      if (orgId === undefined)
        return { code: 'unknown_organization', message: `There is no organization ${slug}.` };
      if (!locked.roles.has(`${orgId} ${role ?? ''}`))
        return { code: 'unknown_role', message: `The organization ${slug} has no role ${role ?? ''}.` };
      orgIds.push(orgId);
    }
    const limit = this.limitReachedBy(wanted, orgIds, locked.members);
    if (limit !== null) return { code: 'limit_reached', message: `${limit} is reached.` };
    for (const orgId of orgIds) locked.members.set(orgId, (locked.members.get(orgId) ?? 0) + 1);
    return null;
  }

  /** The setting that one more account with these memberships would exceed. */
  private limitReachedBy(
    wanted: readonly WantedTenant[],
    orgIds: readonly string[],
    members: ReadonlyMap<string, number>,
  ): string | null {
    const { membershipsPerAccount, membersPerOrganization, organizationsPerAccount } = this.config.limits;
    const owned = wanted.filter(({ role }) => role === OWNER_ROLE).length;
    const isOver = (limit: number, count: number): boolean => limit > 0 && count > limit;
    if (isOver(membershipsPerAccount, wanted.length)) return 'limits.memberships_per_account';
    if (isOver(organizationsPerAccount, owned)) return 'limits.organizations_per_account';
    const isFull = orgIds.some((orgId) => isOver(membersPerOrganization, (members.get(orgId) ?? 0) + 1));
    return isFull ? 'limits.members_per_organization' : null;
  }

  private async addMembers(
    tx: Tx,
    accounts: readonly ImportedAccount[],
    ids: ReadonlyMap<string, string>,
    by: AuditContext,
  ): Promise<AuditEvent[]> {
    const members = accounts.flatMap(({ id, wanted }): NewMember[] =>
      wanted.tenants.map(({ name, role }) => ({
        orgId: ids.get(name) as string,
        userId: id,
        role: role as string,
      })),
    );
    const events = [importEvent(accounts, by)];
    if (members.length === 0) return events;
    await this.organizations.insertMembers(tx, members);
    const userIds = new Set(members.map(({ userId }) => userId));
    await this.changes.announceAll(
      tx,
      [...userIds].map((id) => ({ kind: 'membership', id })),
    );
    return [...events, ...membersEvents(members, by)];
  }
}

function importEvent(accounts: readonly ImportedAccount[], { actor, origin }: AuditContext): AuditEvent {
  const lines = accounts.map(({ wanted }) => wanted.line);
  const details = { accounts: lines.length, first_line: Math.min(...lines), last_line: Math.max(...lines) };
  return { actor, action: 'users.imported', target: null, tenantId: null, userId: null, origin, details };
}

/** One for each organization, with all of its new members: a chain takes one entry of a batch. */
function membersEvents(members: readonly NewMember[], { actor, origin }: AuditContext): AuditEvent[] {
  const byOrganization = new Map<string, { user_id: string; role: string }[]>();
  for (const { orgId, userId, role } of members) {
    const own = byOrganization.get(orgId) ?? [];
    own.push({ user_id: userId, role });
    byOrganization.set(orgId, own);
  }
  return [...byOrganization].map(([orgId, added]) => ({
    actor,
    action: 'members.imported',
    target: { type: 'org', id: orgId },
    tenantId: orgId,
    userId: null,
    origin,
    details: { members: added },
    events: added.map((data) => ({ type: 'member.added', data })),
  }));
}
