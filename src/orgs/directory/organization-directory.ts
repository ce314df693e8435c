import { Injectable } from '@nestjs/common';
import { CacheInvalidation } from '../../events/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { afterCommit, Database, firstRow } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ResponseCache } from './response-cache.js';

/** An organization, as much of it as a request needs. */
export interface OrganizationReference {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

const MAX_REFERENCES = 10_000;

/** What looks like an id is an id and never a slug; no slug has that shape. */
const BY_ID = `SELECT id, slug, name FROM organizations WHERE id = $1`;
/** A slug has at most 63 characters, a UUID 36. */
const MAX_REFERENCE_LENGTH = 63;

const BY_SLUG = `
  SELECT id, slug, name FROM organizations WHERE slug = $1
  UNION ALL
  SELECT org.id, org.slug, org.name
  FROM former_slugs former JOIN organizations org ON org.id = former.org_id
  WHERE former.slug = $1 AND former.reserved_until > now()
  LIMIT 1`;

/** Which organization an id, a slug or a former slug stands for: read through a cache in this process. */
@Injectable()
export class OrganizationDirectory {
  /** By id or present slug: theirs until they change themselves. */
  private readonly standing = new ResponseCache<OrganizationReference>({ maxAnswers: MAX_REFERENCES });
  /** What no organization has, or one had: any that is made or renamed may take it. */
  private readonly passing = new ResponseCache<OrganizationReference | null>({ maxAnswers: MAX_REFERENCES });
  private generation = 0;

  constructor(
    private readonly database: Database,
    private readonly changes: CacheInvalidation,
  ) {
    changes.onChange((change) => {
      if (change === 'everything') this.forget('*');
      else if (change.kind === 'organization') this.forget(change.id);
    });
  }

  async find(reference: string): Promise<OrganizationReference | null> {
    // Longer than any slug: neither looked up nor remembered.
    if (reference.length > MAX_REFERENCE_LENGTH) return null;
    const key = isUuid(reference) ? reference.toLowerCase() : reference;
    const known = this.standing.get(key) ?? this.passing.get(key);
    if (known !== undefined) return known;
    const { generation } = this;
    const sql = isUuid(reference) ? BY_ID : BY_SLUG;
    const found = await firstRow<OrganizationReference>(this.database.reader, sql, [key]);
    if (generation !== this.generation) return found;
    if (found !== null && (key === found.id || key === found.slug)) this.standing.set(key, found, [found.id]);
    else this.passing.set(key, found, []);
    return found;
  }

  /** To be called in every transaction that makes, renames or deletes an organization. */
  async changed(tx: Tx, organizationId: string): Promise<void> {
    await this.changes.announce(tx, { kind: 'organization', id: organizationId });
    afterCommit(tx, () => {
      this.forget(organizationId);
    });
  }

  /** Forgets an organization, or with `*` all of them. A slug that did not exist may exist now. */
  private forget(id: string): void {
    this.generation += 1;
    this.passing.clear();
    if (id === '*') this.standing.clear();
    else this.standing.forget(id);
  }
}
