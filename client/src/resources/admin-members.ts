import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import type { Member } from '../shapes.js';
import type { OrganizationApi, Paged } from './apis.js';

const MEMBER = '/admin/v1/orgs/{org}/members/{user_id}';

/** The members of any organization, by its id or slug. */
export class AdminMembers {
  constructor(private readonly api: OrganizationApi) {}

  /** Newest first. */
  list(org: string, { limit, signal }: Paged & CallOptions = {}): List<Member> {
    const input = { parameters: { org }, query: { limit }, as: 'operator', signal } as const;
    return this.api.list('/admin/v1/orgs/{org}/members', input);
  }

  /** Gives a member another role, or adds a user. To hand over an organization, make another user its `owner`. */
  async set(
    org: string,
    userId: string,
    { role }: { role: string },
    { signal }: CallOptions = {},
  ): Promise<Member> {
    const parameters = { org, user_id: userId };
    return await this.api.put(MEMBER, { parameters, body: { role }, as: 'operator', signal });
  }

  /** Removes a member, and with `revokeKeys` the API keys that they made there. */
  async remove(
    org: string,
    userId: string,
    { revokeKeys, signal }: CallOptions & { revokeKeys?: boolean } = {},
  ): Promise<void> {
    const parameters = { org, user_id: userId };
    await this.api.delete(MEMBER, { parameters, query: { revoke_keys: revokeKeys }, as: 'operator', signal });
  }
}
