import { applyDecorators, Controller } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Target } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import type { Requester, TenantId } from '../http/index.js';
import type { Quota } from '../limits/index.js';

/** What a requester wants to do. */
export interface Attempt {
  /** The permission that the requester must hold now, whatever the guard saw; null where membership is enough. */
  readonly permission: string | null;
  /** The refused action in the audit trail, subject first: `member.role_change`. */
  readonly action: string;
  readonly target: Target;
  /** Further details of the audit entry of a refusal, besides the reason. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A change in progress: the organization is locked, so that the requester's permissions cannot change meanwhile. */
export interface OrganizationCommand {
  readonly tx: Tx;
  readonly organizationId: TenantId;
  /** The current permissions of the requester. */
  readonly currentPermissions: readonly string[];
  /** Requires that the quota allows one more than `present` returns. @throws limit_reached */
  requireQuota(quota: Quota, present: () => Promise<number>): Promise<void>;
  /** Writes the audit entry of the change. */
  record(action: string, target: Target, details: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Changes of an organization's members, roles, invitations and API keys. The module `orgs` provides it. */
export abstract class OrganizationCommands {
  /**
   * Runs `change` in a transaction that holds the organization's lock, if the requester may still do what `attempt`
   * says.
   * @throws not_a_member, session_revoked, invalid_api_key, run_token_not_allowed, permission_denied, and what
   *   `change` throws
   */
  abstract run<Result>(
    by: Requester,
    attempt: Attempt,
    change: (command: OrganizationCommand) => Promise<Result>,
  ): Promise<Result>;
}

/** Who has a role. The module `orgs` provides it. */
export abstract class RoleAssignments {
  /** Whether a member has the role, or a pending invitation grants it. */
  abstract has(tx: Tx, organizationId: TenantId, role: string): Promise<boolean>;

  /** To be called when the permissions of a role change: no instance uses the former ones after the commit. */
  abstract permissionsChanged(tx: Tx, organizationId: TenantId): Promise<void>;
}

/** The `{org}` of a path in the OpenAPI document. The tenant guard reads it. */
export const ORG_PARAM = {
  name: 'org',
  type: String,
  description: 'Organization id or slug.',
  example: 'acme',
};

/** A controller of the resource `path` of an organization, under `tag` in the OpenAPI document. */
export function OrganizationRoutes(path: string, tag: string): ClassDecorator {
  return applyDecorators(ApiTags(tag), ApiParam(ORG_PARAM), Controller(`auth/v1/orgs/:org/${path}`));
}
