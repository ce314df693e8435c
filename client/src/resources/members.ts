import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import type { Member, MemberAccess } from '../shapes.js';
import type { OrganizationApi, Paged } from './apis.js';
import { organizationOf } from './organization-of.js';
import type { InOrganization } from './organization-of.js';

const MEMBER = '/auth/v1/orgs/{org}/members/{user_id}';

export class Members {
  constructor(
    private readonly api: OrganizationApi,
    private readonly own: string | undefined,
  ) {}

  list({ org, limit, signal }: Paged & InOrganization & CallOptions = {}): List<Member> {
    const parameters = { org: organizationOf(org, this.own) };
    return this.api.list('/auth/v1/orgs/{org}/members', { parameters, query: { limit }, signal });
  }

  /** Gives a member another role. */
  async update(
    userId: string,
    { role }: { role: string },
    { org, signal }: InOrganization & CallOptions = {},
  ): Promise<Member> {
    const parameters = { org: organizationOf(org, this.own), user_id: userId };
    return await this.api.patch(MEMBER, { parameters, body: { role }, signal });
  }

  /** Whether a member may do something, and which permission of their role grants it. */
  async access(
    userId: string,
    permission: string,
    { org, signal }: InOrganization & CallOptions = {},
  ): Promise<MemberAccess> {
    const parameters = { org: organizationOf(org, this.own), user_id: userId };
    return await this.api.get(`${MEMBER}/access`, { parameters, query: { permission }, signal });
  }

  /** Removes a member, and with `revokeKeys` the API keys that they created. Anyone may remove themselves. */
  async remove(
    userId: string,
    { org, revokeKeys, signal }: InOrganization & CallOptions & { revokeKeys?: boolean } = {},
  ): Promise<void> {
    const parameters = { org: organizationOf(org, this.own), user_id: userId };
    await this.api.delete(MEMBER, { parameters, query: { revoke_keys: revokeKeys }, signal });
  }
}
