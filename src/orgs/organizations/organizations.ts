import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import type { Actor } from '../../audit/index.js';
import { newId } from '../../platform/crypto/index.js';
import { Database, firstRow, matchingIds, rows, searchQuery } from '../../platform/database/index.js';
import type { SelectText, Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { RoleRepository } from '../../rbac/index.js';
import { OrganizationDirectory } from '../directory/organization-directory.js';
import { OrganizationRepository } from '../directory/organization.repository.js';
import type { OrganizationEntity } from '../directory/organization.repository.js';
import { insertMember } from '../members/member.repository.js';
import { MembershipQuotas, OWNER_ROLE } from '../members/membership-quotas.js';
import { Memberships } from '../members/memberships.js';

/** Who creates an organization. */
export interface Maker {
  readonly actor: Actor;
  /** Requires, at the start of the transaction, that they still may. */
  readonly require: (tx: Tx) => Promise<void>;
}

/** Creates organizations. */
@Injectable()
export class Organizations {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationRepository,
    private readonly quotas: MembershipQuotas,
    private readonly memberships: Memberships,
    private readonly directory: OrganizationDirectory,
    private readonly roles: RoleRepository,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Creates an organization with its built-in roles, for the user who owns it.
   * @throws limit_reached, slug_taken, session_revoked, invalid_access_token
   */
  async create(
    userId: string,
    wanted: { slug: string; name: string },
    maker: Maker,
    origin: Origin | null,
  ): Promise<OrganizationEntity> {
    const organization = { ...wanted, id: newId(), createdAt: new Date(), requireSecondFactor: false };
    await this.database.serialTransaction(userId, maker.actor, async (tx) => {
      await maker.require(tx);
      await this.quotas.requireMembershipQuota(tx, userId, OWNER_ROLE, null);
      if (!(await this.organizations.insertOrganization(tx, organization)))
        throw new ServiceError('slug_taken');
      await this.roles.insertBuiltins(tx, organization.id);
      await insertMember(tx, { orgId: organization.id, userId, role: OWNER_ROLE });
      await this.audit.append(tx, {
        actor: maker.actor,
        action: 'org.created',
        target: { type: 'org', id: organization.id },
        tenantId: organization.id,
        userId: null,
        origin,
        details: {
          slug: wanted.slug,
          name: wanted.name,
          ...(maker.actor.id === userId ? {} : { owner: userId }),
        },
      });
      await this.memberships.changed(tx, userId);
      await this.directory.changed(tx, organization.id);
    });
    return organization;
  }
}

/** An organization as the operator of the deployment sees it. */
export interface OperatorOrganization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly requireSecondFactor: boolean;
  readonly members: number;
}

const SELECT_ORGANIZATIONS: SelectText = `SELECT org.id, org.slug, org.name, org.created_at AS "createdAt",
    org.require_second_factor AS "requireSecondFactor",
    (SELECT count(*)::int FROM members member WHERE member.org_id = org.id) AS members
  FROM organizations org`;

const FOUND = matchingIds('organizations', "search_words(NULL, slug || ' ' || name, NULL)", '$3');

/** Every organization of the deployment. */
@Injectable()
export class OperatorOrganizations {
  constructor(
    private readonly database: Database,
    private readonly directory: OrganizationDirectory,
  ) {}

  /** The one of this id, slug or former slug. @throws org_not_found */
  async find(org: string): Promise<OperatorOrganization> {
    const id = await this.directory.idOf(org);
    const found = await firstRow<OperatorOrganization>(
      this.database.reader,
      `${SELECT_ORGANIZATIONS} WHERE org.id = $1`,
      [id],
    );
    if (found === null) throw new ServiceError('org_not_found');
    return found;
  }

  /**
   * Newest first, before the id `before`.
   * @param search how words of the slug and the name begin; null for all organizations
   */
  async list(limit: number, before: string | null, search: string | null): Promise<OperatorOrganization[]> {
    const words = search === null ? null : searchQuery(search);
    if (search !== null && words === null) return [];
    return await rows<OperatorOrganization>(
      this.database.reader,
      `${SELECT_ORGANIZATIONS}
       WHERE ($2::uuid IS NULL OR org.id < $2)${words === null ? '' : ` AND org.id IN (${FOUND})`}
       ORDER BY org.id DESC LIMIT $1`,
      [limit, before, ...(words === null ? [] : [words])],
    );
  }
}
