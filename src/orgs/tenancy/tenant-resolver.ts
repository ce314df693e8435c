import { Inject, Injectable } from '@nestjs/common';
import { whenResolved } from '../../cache-invalidation/index.js';
import type { MaybePromise } from '../../cache-invalidation/index.js';
import { ServiceError } from '../../http/index.js';
import type {
  ApiKeyCaller,
  Caller,
  RunCaller,
  RunRights,
  Tenant,
  TenantId,
  UserCaller,
} from '../../http/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database, firstRow } from '../../platform/database/index.js';
import type { SelectText } from '../../platform/database/index.js';
import { DEPLOYMENT_SCOPE, TENANT_EVENTS, Tenancy } from '../../tenancy/index.js';
import type { RightsHolder, TenantNames } from '../../tenancy/index.js';
import { CurrentPermissions } from '../commands/current-permissions.js';
import { OrganizationDirectory } from '../directory/organization-directory.js';
import type { OrganizationReference } from '../directory/organization-directory.js';
import { Memberships } from '../members/memberships.js';

/** How a request names its organization: by header, by path, or not at all. Ids or slugs. */
export interface TenantReferences {
  readonly header: string | null;
  readonly path: string | null;
}

/** A request in an organization. */
export interface TenantRequest extends TenantReferences {
  /** Whether its caller is about to leave the organization, and need not meet what it requires. */
  readonly leaves: boolean;
}

function lacksSecondFactor(): ServiceError {
  return new ServiceError('second_factor_required', {
    status: 403,
    message: 'The organization requires a second factor, and your account has none.',
    hint: 'Add one: POST /auth/v1/factors/totp.',
  });
}

/** Finds the organization that a request acts in, and what its caller may do there. */
@Injectable()
export class TenantResolver {
  constructor(
    private readonly directory: OrganizationDirectory,
    private readonly memberships: Memberships,
  ) {}

  /** @throws org_required, org_mismatch, not_a_member, second_factor_required */
  resolve(caller: Caller, request: TenantRequest): MaybePromise<Tenant> {
    return whenResolved(this.named(request), (named) => {
      if (caller.type === 'user') return this.ofUser(caller, named, request.leaves);
      if (caller.type === 'project_key' || caller.type === 'operator') throw new ServiceError('not_a_member');
      return this.ofProgram(caller, named);
    });
  }

  private named({ header, path }: TenantReferences): MaybePromise<OrganizationReference | null> {
    return whenResolved(this.existing(header), (byHeader) =>
      whenResolved(this.existing(path), (byPath) => {
        if (byHeader !== null && byPath !== null && byHeader.id !== byPath.id)
          throw new ServiceError('org_mismatch');
        return byHeader ?? byPath;
      }),
    );
  }

  /**
   * An unknown organization is refused like one that the caller does not belong to, so that nobody can probe for
   * organizations.
   */
  private existing(reference: string | null): MaybePromise<OrganizationReference | null> {
    if (reference === null) return null;
    return whenResolved(this.directory.find(reference), (found) => {
      if (found === null) throw new ServiceError('not_a_member');
      return found;
    });
  }

  private ofUser(
    { userId }: UserCaller,
    named: OrganizationReference | null,
    leaves: boolean,
  ): MaybePromise<Tenant> {
    return whenResolved(named?.id ?? this.memberships.onlyOrganizationOf(userId), (organizationId) =>
      whenResolved(
        organizationId === null ? null : this.memberships.find(userId, organizationId),
        (active) => {
          if (active === null) throw new ServiceError(named === null ? 'org_required' : 'not_a_member');
          if (active.lacksSecondFactor && !leaves) throw lacksSecondFactor();
          const { orgId, slug, name, role, permissions } = active;
          return { id: orgId as TenantId, slug, name, role, permissions, reach: 'all' };
        },
      ),
    );
  }

  private ofProgram(
    caller: ApiKeyCaller | RunCaller,
    named: OrganizationReference | null,
  ): MaybePromise<Tenant> {
    const id = caller.type === 'run' ? caller.tenantId : caller.orgId;
    return whenResolved(this.directory.find(id), (organization) => {
      if (organization === null || (named !== null && named.id !== id))
        throw new ServiceError('not_a_member');
      const { slug, name } = organization;
      const { permissions } = caller;
      return { id: id as TenantId, slug, name, role: null, permissions, reach: 'all' };
    });
  }
}

const PROVEN: SelectText = `SELECT id FROM users WHERE id = $1 AND email_verified`;

@Injectable()
export class OrganizationTenancy extends Tenancy {
  readonly noun = 'organization';
  readonly rowColumn = 'org_id';
  readonly auditTarget = 'org';
  readonly goneRefusal = 'not_a_member';
  protected readonly lockSql = 'SELECT id FROM organizations WHERE id = $1 FOR KEY SHARE';
  readonly hasOpenJobs = false;
  readonly eventTypes = TENANT_EVENTS;

  constructor(
    private readonly directory: OrganizationDirectory,
    private readonly permissions: CurrentPermissions,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super();
  }

  hookScope(): string {
    return DEPLOYMENT_SCOPE;
  }

  async find(reference: string): Promise<TenantId | null> {
    return ((await this.directory.find(reference))?.id ?? null) as TenantId | null;
  }

  async namesOf(tenantId: TenantId): Promise<TenantNames | null> {
    const found = await this.directory.find(tenantId);
    return found === null ? null : { slug: found.slug, name: found.name };
  }

  async rightsOf(tenantId: TenantId, { type, id }: RightsHolder): Promise<RunRights | null> {
    if (type === 'operator') return null;
    if (type === 'user' && !(await this.mayBeUsed(id))) return null;
    const holder = { type: type === 'key' ? 'api_key' : type, id } as const;
    const permissions = await this.permissions.permissionsOf(this.database.reader, tenantId, holder);
    return permissions === null ? null : { permissions, userId: null };
  }

  private async mayBeUsed(userId: string): Promise<boolean> {
    if (!this.config.identity.requireVerifiedEmail) return true;
    return (await firstRow(this.database.reader, PROVEN, [userId])) !== null;
  }

  handlerHeaders(tenantId: TenantId): Record<string, string> {
    return { 'X-Service-Org': tenantId };
  }
}
