import { ServiceError } from '../http/index.js';
import type { ErrorCode, RunRights, TenantId } from '../http/index.js';
import { Injectable } from '@nestjs/common';
import { firstRow } from '../platform/database/index.js';
import type { SelectText, Tx } from '../platform/database/index.js';
import type { EventType } from './events/event-types.js';

/** The whole deployment, where something is unique in it. */
export const DEPLOYMENT_SCOPE = '00000000-0000-0000-0000-000000000000';

/** What people call a tenant: an organization has a slug, a project a ref. */
export type TenantNames =
  { readonly slug: string; readonly name: string } | { readonly ref: string; readonly name: string };

/** Who may hold rights in a tenant. `operator`: `id` is that of an account, or `admin.token`. */
export interface RightsHolder {
  readonly type: 'user' | 'key' | 'operator';
  readonly id: string;
}

/**
 * How the profiles differ in what they show of a tenant outside the program, and how a tenant is kept from being deleted.
 * Each profile provides one implementation. Jobs and the vault use it and know nothing else about profiles.
 */
export abstract class Tenancy {
  /** What messages call a tenant. */
  abstract readonly noun: 'organization' | 'project';

  /** The column by which the rows of a table that jobs watch belong to tenants; it holds their ids. */
  abstract readonly rowColumn: 'org_id' | 'project_id';

  /** The type of an audit entry's target that is the tenant itself. */
  abstract readonly auditTarget: 'org' | 'project';

  /** The refusal of a caller whose tenant was deleted a moment ago. */
  abstract readonly goneRefusal: ErrorCode;

  /** Selects the row of the tenant `$1`, and keeps it. */
  protected abstract readonly lockSql: SelectText;

  /** Whether a job can be opened to every user of the tenant; otherwise roles decide who may trigger it. */
  abstract readonly hasOpenJobs: boolean;

  /** The events that jobs can listen to. */
  abstract readonly eventTypes: readonly EventType[];

  /**
   * Keeps the tenant from being deleted until the transaction ends: for whoever adds rows of a tenant without a foreign key.
   * Take it before the locks of those rows, as the deletion does.
   * @throws `goneRefusal`
   */
  async lockAgainstDeletion(tx: Tx, tenantId: TenantId): Promise<void> {
    if ((await firstRow(tx, this.lockSql, [tenantId])) === null) throw new ServiceError(this.goneRefusal);
  }

  /** Where the names of a tenant's hooks are unique: in the whole deployment, the nil UUID, or in the tenant. */
  abstract hookScope(tenantId: TenantId): string;

  /** The tenant that a setting names by id or by name; null when there is none. */
  abstract find(reference: string): Promise<TenantId | null>;

  /** What people call a tenant; null when there is none with this id. */
  abstract namesOf(tenantId: TenantId): Promise<TenantNames | null>;

  /** What a run may do that acts as the holder, from the database. Null if the holder is gone, disabled, revoked or expired. */
  abstract rightsOf(tenantId: TenantId, holder: RightsHolder): Promise<RunRights | null>;

  /** The headers that tell a handler which tenant it is called for. */
  abstract handlerHeaders(tenantId: TenantId): Record<string, string> | Promise<Record<string, string>>;
}

type Follower = (tx: Tx, tenantId: TenantId) => Promise<void>;

/**
 * What else is deleted with an organization or a project. A module that stores rows of a tenant without a foreign key
 * registers here, and removes them in the transaction of the deletion.
 */
@Injectable()
export class TenantDeletion {
  private readonly followers: Follower[] = [];

  follow(remove: Follower): void {
    this.followers.push(remove);
  }

  async removeRest(tx: Tx, tenantId: TenantId): Promise<void> {
    for (const remove of this.followers) await remove(tx, tenantId);
  }
}
