import { Inject, Injectable } from '@nestjs/common';
import { actorOf, AuditTrail } from '../../audit/index.js';
import type { Target } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import type { Caller, ErrorCode, Origin, Tenant, TenantId } from '../../platform/http/index.js';
import { requireQuota } from '../../platform/limits/index.js';
import type { Quota } from '../../platform/limits/index.js';
import { covers } from '../../rbac/index.js';
import { CurrentPermissions } from './current-permissions.js';
import type { OrganizationEntity } from '../directory/organization.entity.js';
import { OrganizationRepository } from '../directory/organization.repository.js';

/** Who asks for a change of an organization, and from where. */
export interface Requester {
  readonly tenant: Tenant;
  readonly caller: Caller;
  readonly origin: Origin;
}

/** What a requester sets out to do. */
export interface Attempt {
  /** What the requester must hold now, besides what the guard saw; null where being a member is enough. */
  readonly permission: string | null;
  /** What the audit trail calls it when it is refused, subject first: `member.role_change`. */
  readonly action: string;
  readonly target: Target;
  /** What the audit trail says of it besides the reason when it is refused. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A change in progress: the organization is locked, and the requester's rights are those of this moment. */
export interface OrganizationCommand {
  readonly tx: Tx;
  readonly organization: OrganizationEntity;
  readonly organizationId: TenantId;
  /** The permissions of the requester. */
  readonly held: readonly string[];
  /** Demands room for one more, where `present` is how many the organization has. @throws limit_reached */
  readonly requireQuota: (quota: Quota, present: () => Promise<number>) => Promise<void>;
  /** Writes the audit entry of the change. */
  readonly record: (
    action: string,
    target: Target,
    details: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
}

/** Refusals that tell of an attempt at more than is due. */
const RECORDED: ReadonlySet<ErrorCode> = new Set([
  'permission_not_held',
  'key_outlives_maker',
  'last_owner',
  'session_revoked',
]);

/**
 * Carries out the changes of an organization, one after the other: those of this process wait without a connection. Between the guard's look and the change
 * the requester may have been demoted or removed, by somebody who was told that it is done; so the rights
 * are read again under the organization's lock. An access token outlives its session, but hands on no authority
 * after its end (contract section 9.8).
 */
@Injectable()
export class OrganizationCommands {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly organizations: OrganizationRepository,
    private readonly authority: CurrentPermissions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * @throws not_a_member, session_revoked, invalid_api_key, run_token_not_allowed, permission_denied, and whatever
   *   `change` refuses
   */
  async carryOut<Result>(
    by: Requester,
    attempt: Attempt,
    change: (act: OrganizationCommand) => Promise<Result>,
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

  private async begin(tx: Tx, by: Requester, { permission }: Attempt): Promise<OrganizationCommand> {
    const organizationId = by.tenant.id;
    const organization = await this.organizations.lock(tx, organizationId);
    if (organization === null) throw new ServiceError('not_a_member');
    const held = await this.held(tx, organizationId, by.caller);
    if (permission !== null && !covers(held, permission)) {
      throw new ServiceError('permission_denied', { hint: `This needs the permission ${permission}.` });
    }
    const common = { actor: actorOf(by.caller), orgId: organizationId, userId: null, origin: by.origin };
    return {
      tx,
      organization,
      organizationId,
      held,
      requireQuota: (quota, present) => requireQuota(this.config.limits, quota, present),
      record: (action, target, details) => this.audit.append(tx, { ...common, action, target, details }),
    };
  }

  private async held(tx: Tx, organizationId: TenantId, caller: Caller): Promise<readonly string[]> {
    if (caller.type === 'user') {
      const held = await this.authority.heldInSession(tx, organizationId, caller);
      if (held === null) throw new ServiceError('not_a_member');
      if (!held.isSessionLive) throw new ServiceError('session_revoked');
      return held.permissions;
    }
    // The guards let none come this far; what a run were to hand on would outlive it.
    if (caller.type === 'run') throw new ServiceError('run_token_not_allowed');
    const held = await this.authority.held(tx, organizationId, { type: 'api_key', id: caller.keyId });
    if (held === null) throw new ServiceError('invalid_api_key');
    return held;
  }

  private async recordRefusal(by: Requester, attempt: Attempt, error: unknown): Promise<void> {
    if (!(error instanceof ServiceError) || !RECORDED.has(error.code)) return;
    await this.audit.appendAlone({
      actor: actorOf(by.caller),
      action: `${attempt.action}_refused`,
      target: attempt.target,
      orgId: by.tenant.id,
      userId: null,
      origin: by.origin,
      details: { reason: error.code, ...attempt.details },
    });
  }
}
