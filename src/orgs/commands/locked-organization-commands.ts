import { Inject, Injectable } from '@nestjs/common';
import { actorOf, AuditTrail } from '../../audit/index.js';
import type { Target } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Caller, ErrorCode, Requester, TenantId } from '../../http/index.js';
import { requireQuota } from '../../limits/index.js';
import type { Quota } from '../../limits/index.js';
import { covers, OrganizationCommands } from '../../rbac/index.js';
import type { Attempt, OrganizationCommand } from '../../rbac/index.js';
import { OrganizationRepository } from '../directory/organization.repository.js';
import type { OrganizationEntity } from '../directory/organization.repository.js';
import { CurrentPermissions } from './current-permissions.js';

/** A change of the organization in progress. */
export class LockedOrganizationCommand implements OrganizationCommand {
  readonly organizationId: TenantId;

  constructor(
    private readonly by: Requester,
    readonly tx: Tx,
    /** The row as the lock found it. */
    readonly organization: OrganizationEntity,
    readonly currentPermissions: readonly string[],
    private readonly limits: Config['limits'],
    private readonly audit: AuditTrail,
  ) {
    this.organizationId = by.tenant.id;
  }

  async requireQuota(quota: Quota, present: () => Promise<number>): Promise<void> {
    await requireQuota(this.limits, quota, present);
  }

  async record(action: string, target: Target, details: Readonly<Record<string, unknown>>): Promise<void> {
    await this.audit.append(this.tx, {
      actor: actorOf(this.by.caller),
      action,
      target,
      tenantId: this.organizationId,
      userId: null,
      origin: this.by.origin,
      details,
    });
  }
}

/** Refusals that leave an audit entry: the caller attempted more than they may do. */
const RECORDED: ReadonlySet<ErrorCode> = new Set([
  'permission_not_held',
  'key_outlives_maker',
  'last_owner',
  'session_revoked',
]);

/**
 * Runs the changes of one organization one after the other; those of this process wait without a connection. Between
 * the guard and the change, the requester may have been demoted or removed by somebody who has already received the
 * answer, so their permissions are read again under the organization's lock. An access token outlives its session,
 * but grants nothing to others after the session's end (contract section 9.8).
 */
@Injectable()
export class LockedOrganizationCommands extends OrganizationCommands {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly organizations: OrganizationRepository,
    private readonly permissions: CurrentPermissions,
    private readonly audit: AuditTrail,
  ) {
    super();
  }

  override async run<Result>(
    by: Requester,
    attempt: Attempt,
    change: (command: LockedOrganizationCommand) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.database.serialTransaction(
        by.tenant.id,
        actorOf(by.caller),
        async (tx) => await change(await this.begin(tx, by, attempt)),
      );
    } catch (error) {
      await this.recordRefusal(by, attempt, error);
      throw error;
    }
  }

  private async begin(tx: Tx, by: Requester, { permission }: Attempt): Promise<LockedOrganizationCommand> {
    const organizationId = by.tenant.id;
    const organization = await this.organizations.lock(tx, organizationId);
    if (organization === null) throw new ServiceError('not_a_member');
    const currentPermissions = await this.currentPermissions(tx, organizationId, by.caller);
    if (permission !== null && !covers(currentPermissions, permission)) {
      throw new ServiceError('permission_denied', { hint: `This needs the permission ${permission}.` });
    }
    return new LockedOrganizationCommand(
      by,
      tx,
      organization,
      currentPermissions,
      this.config.limits,
      this.audit,
    );
  }

  private async currentPermissions(
    tx: Tx,
    organizationId: TenantId,
    caller: Caller,
  ): Promise<readonly string[]> {
    if (caller.type === 'user') {
      const found = await this.permissions.permissionsInSession(tx, organizationId, caller);
      if (found === null) throw new ServiceError('not_a_member');
      if (!found.isSessionLive) throw new ServiceError('session_revoked');
      return found.permissions;
    }
    // No guard lets a run token pass here: what a run granted would outlive it.
    if (caller.type === 'run') throw new ServiceError('run_token_not_allowed');
    if (caller.type === 'operator') throw new ServiceError('not_a_member');
    const ofKey = await this.permissions.permissionsOf(tx, organizationId, {
      type: 'api_key',
      id: caller.keyId,
    });
    if (ofKey === null) throw new ServiceError('invalid_api_key');
    return ofKey;
  }

  private async recordRefusal(by: Requester, attempt: Attempt, error: unknown): Promise<void> {
    if (!(error instanceof ServiceError) || !RECORDED.has(error.code)) return;
    await this.audit.appendAlone({
      actor: actorOf(by.caller),
      action: `${attempt.action}_refused`,
      target: attempt.target,
      tenantId: by.tenant.id,
      userId: null,
      origin: by.origin,
      details: { reason: error.code, ...attempt.details },
    });
  }
}
