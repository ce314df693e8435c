import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import type { AuditEntry, AuditVerification, Organization } from '../shapes.js';
import type { OrganizationApi } from './apis.js';
import type { AuditExport, AuditFilter } from './audit.js';
import { organizationOf } from './organization-of.js';
import type { InOrganization } from './organization-of.js';

const ORG = '/auth/v1/orgs/{org}';
/** The maximum number of items in a page. */
export const MOST_AT_ONCE = 100;

/** The caller's organizations. If an id or slug is omitted, the client's own organization is used. */
export class Orgs {
  constructor(
    private readonly api: OrganizationApi,
    private readonly own: string | undefined,
  ) {}

  /** All of them, newest first. */
  async list({ signal }: CallOptions = {}): Promise<Organization[]> {
    return await this.api.list('/auth/v1/orgs', { query: { limit: MOST_AT_ONCE }, signal }).all();
  }

  /** Creates an organization. The caller owns it. */
  async create(
    { slug, name }: { slug: string; name: string },
    { signal }: CallOptions = {},
  ): Promise<Organization> {
    return await this.api.post('/auth/v1/orgs', { body: { slug, name }, signal });
  }

  async get(org?: string, { signal }: CallOptions = {}): Promise<Organization> {
    return await this.api.get(ORG, { parameters: { org: organizationOf(org, this.own) }, signal });
  }

  async update(
    change: { slug?: string; name?: string; require_second_factor?: boolean },
    { org, signal }: InOrganization & CallOptions = {},
  ): Promise<Organization> {
    const parameters = { org: organizationOf(org, this.own) };
    return await this.api.patch(ORG, { parameters, body: { ...change }, signal });
  }

  /** Deletes an organization with everything in it. It must be named explicitly each time. */
  async delete(org: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete(ORG, { parameters: { org }, signal });
  }

  /** The audit trail, newest first. */
  audit({ org, signal, ...filter }: AuditFilter & InOrganization & CallOptions = {}): List<AuditEntry> {
    const parameters = { org: organizationOf(org, this.own) };
    return this.api.list('/auth/v1/orgs/{org}/audit', { parameters, query: { ...filter }, signal });
  }

  /** The audit trail as a file, before its body is read. */
  async exportAudit({
    org,
    signal,
    ...filter
  }: AuditExport & InOrganization & CallOptions = {}): Promise<Response> {
    const parameters = { org: organizationOf(org, this.own) };
    return await this.api.file('/auth/v1/orgs/{org}/audit/export', {
      parameters,
      query: { ...filter },
      signal,
    });
  }

  /** Whether the hash chain of the audit trail is intact. */
  async verifyAudit({ org, signal }: InOrganization & CallOptions = {}): Promise<AuditVerification> {
    const parameters = { org: organizationOf(org, this.own) };
    return await this.api.get('/auth/v1/orgs/{org}/audit/verification', { parameters, signal });
  }
}
