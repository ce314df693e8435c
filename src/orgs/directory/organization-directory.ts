import { Injectable } from '@nestjs/common';
import { ANY_CHANGE, CacheInvalidation, InvalidatedCache } from '../../cache-invalidation/index.js';
import type { MaybePromise } from '../../cache-invalidation/index.js';
import { ServiceError } from '../../http/index.js';
import type { TenantId } from '../../http/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { Database, firstRow } from '../../platform/database/index.js';
import type { SelectText, Tx } from '../../platform/database/index.js';

/** The data of an organization that a request needs. */
export interface OrganizationReference {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

const MAX_REFERENCES = 10_000;

/** A reference in the form of a UUID is an id; no slug has that form. */
const BY_ID: SelectText = `SELECT id, slug, name FROM organizations WHERE id = $1`;
/** A slug has at most 63 characters, a UUID 36. */
const MAX_REFERENCE_LENGTH = 63;

const BY_SLUG: SelectText = `SELECT id, slug, name FROM organizations WHERE slug = $1
  UNION ALL
  SELECT org.id, org.slug, org.name
  FROM former_slugs former JOIN organizations org ON org.id = former.org_id
  WHERE former.slug = $1 AND former.reserved_until > now()
  LIMIT 1`;

/** Which organization an id, a slug or a former slug stands for: read through a cache in this process. */
@Injectable()
export class OrganizationDirectory {
  private readonly cache: InvalidatedCache<OrganizationReference | null>;

  constructor(
    private readonly database: Database,
    private readonly changes: CacheInvalidation,
  ) {
    this.cache = new InvalidatedCache(changes, ['organization'], { maxEntries: MAX_REFERENCES });
  }

  find(reference: string): MaybePromise<OrganizationReference | null> {
    // Longer than any slug: neither looked up nor cached.
    if (reference.length > MAX_REFERENCE_LENGTH) return null;
    const key = isUuid(reference) ? reference.toLowerCase() : reference;
    const sql = isUuid(reference) ? BY_ID : BY_SLUG;
    return this.cache.find(
      key,
      () => firstRow<OrganizationReference>(this.database.reader, sql, [key]),
      // Any organization that is created or renamed may take a slug that is former or free.
      (found) => (found !== null && (key === found.id || key === found.slug) ? [found.id] : [ANY_CHANGE]),
    );
  }

  /** The id of the organization that the operator names. @throws org_not_found */
  async idOf(reference: string): Promise<TenantId> {
    const found = await this.find(reference);
    if (found === null) throw new ServiceError('org_not_found');
    return found.id as TenantId;
  }

  /** To be called in every transaction that creates, renames or deletes an organization. */
  async changed(tx: Tx, organizationId: string): Promise<void> {
    await this.changes.announce(tx, { kind: 'organization', id: organizationId });
  }
}
