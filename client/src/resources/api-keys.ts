import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import type { ApiKey, CreatedApiKey } from '../shapes.js';
import type { OrganizationApi, Paged } from './apis.js';
import { organizationOf } from './organization-of.js';
import type { InOrganization } from './organization-of.js';

export interface NewApiKey {
  readonly name: string;
  readonly permissions: string[];
  readonly expires_at?: string | undefined;
}

export class ApiKeys {
  constructor(
    private readonly api: OrganizationApi,
    private readonly own: string | undefined,
  ) {}

  /** Newest first. @param createdBy the id of the user or API key that created them */
  list({
    org,
    createdBy,
    limit,
    signal,
  }: { createdBy?: string } & Paged & InOrganization & CallOptions = {}): List<ApiKey> {
    const parameters = { org: organizationOf(org, this.own) };
    const query = { created_by: createdBy, limit };
    return this.api.list('/auth/v1/orgs/{org}/api-keys', { parameters, query, signal });
  }

  /** Creates a key. Only this answer contains `key`. */
  async create(key: NewApiKey, { org, signal }: InOrganization & CallOptions = {}): Promise<CreatedApiKey> {
    const parameters = { org: organizationOf(org, this.own) };
    return await this.api.post('/auth/v1/orgs/{org}/api-keys', { parameters, body: { ...key }, signal });
  }

  async revoke(id: string, { org, signal }: InOrganization & CallOptions = {}): Promise<void> {
    const parameters = { org: organizationOf(org, this.own), id };
    await this.api.delete('/auth/v1/orgs/{org}/api-keys/{id}', { parameters, signal });
  }
}
