import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import type { Role, RoleHolders } from '../shapes.js';
import type { OrganizationApi, Paged } from './apis.js';
import { organizationOf } from './organization-of.js';
import type { InOrganization } from './organization-of.js';

const ROLE = '/auth/v1/orgs/{org}/roles/{name}';

export class Roles {
  constructor(
    private readonly api: OrganizationApi,
    private readonly own: string | undefined,
  ) {}

  list({ org, limit, signal }: Paged & InOrganization & CallOptions = {}): List<Role> {
    const parameters = { org: organizationOf(org, this.own) };
    return this.api.list('/auth/v1/orgs/{org}/roles', { parameters, query: { limit }, signal });
  }

  async create(
    { name, permissions }: { name: string; permissions: string[] },
    { org, signal }: InOrganization & CallOptions = {},
  ): Promise<Role> {
    const parameters = { org: organizationOf(org, this.own) };
    return await this.api.post('/auth/v1/orgs/{org}/roles', {
      parameters,
      body: { name, permissions },
      signal,
    });
  }

  async get(name: string, { org, signal }: InOrganization & CallOptions = {}): Promise<Role> {
    return await this.api.get(ROLE, { parameters: { org: organizationOf(org, this.own), name }, signal });
  }

  /** Members with the role, pending invitations to it, and API keys with the same permissions. */
  async holders(name: string, { org, signal }: InOrganization & CallOptions = {}): Promise<RoleHolders> {
    const parameters = { org: organizationOf(org, this.own), name };
    return await this.api.get(`${ROLE}/holders`, { parameters, signal });
  }

  async update(
    name: string,
    { permissions }: { permissions: string[] },
    { org, signal }: InOrganization & CallOptions = {},
  ): Promise<Role> {
    const parameters = { org: organizationOf(org, this.own), name };
    return await this.api.patch(ROLE, { parameters, body: { permissions }, signal });
  }

  async delete(name: string, { org, signal }: InOrganization & CallOptions = {}): Promise<void> {
    await this.api.delete(ROLE, { parameters: { org: organizationOf(org, this.own), name }, signal });
  }
}
