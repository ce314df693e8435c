import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import type { Session } from '../session/session.js';
import type { SessionKeeper } from '../session/session-keeper.js';
import type { CreatedInvitation, Invitation, Organization, User } from '../shapes.js';
import type { OrganizationApi, Paged } from './apis.js';
import { organizationOf } from './organization-of.js';
import type { InOrganization } from './organization-of.js';
import { signedIn } from './sign-in.js';

export interface Accepted {
  readonly user: User;
  readonly org: Organization;
  /** The session of the account that was created; null if the caller had one. */
  readonly session: Session<User> | null;
}

export class Invitations {
  constructor(
    private readonly api: OrganizationApi,
    private readonly own: string | undefined,
    private readonly keeper: SessionKeeper<User>,
  ) {}

  list({ org, limit, signal }: Paged & InOrganization & CallOptions = {}): List<Invitation> {
    const parameters = { org: organizationOf(org, this.own) };
    return this.api.list('/auth/v1/orgs/{org}/invitations', { parameters, query: { limit }, signal });
  }

  /** Invites an address. The answer contains the link if no mail was sent. */
  async create(
    { email, role, redirect_to }: { email: string; role: string; redirect_to?: string | undefined },
    { org, signal }: InOrganization & CallOptions = {},
  ): Promise<CreatedInvitation> {
    const parameters = { org: organizationOf(org, this.own) };
    return await this.api.post('/auth/v1/orgs/{org}/invitations', {
      parameters,
      body: { email, role, redirect_to },
      signal,
    });
  }

  async revoke(id: string, { org, signal }: InOrganization & CallOptions = {}): Promise<void> {
    const parameters = { org: organizationOf(org, this.own), id };
    await this.api.delete('/auth/v1/orgs/{org}/invitations/{id}', { parameters, signal });
  }

  /**
   * Accepts as the caller, whose address was invited; or, with a password for a new account, without credentials. Then
   * the new account is signed in.
   */
  async accept(
    { token, password }: { token: string; password?: string },
    { signal }: CallOptions = {},
  ): Promise<Accepted> {
    const { user, org, session } = await this.api.post('/auth/v1/invitations/accept', {
      body: { token, password },
      as: password === undefined ? 'caller' : 'nobody',
      signal,
    });
    const began = session === undefined ? null : await signedIn(this.keeper, session, user);
    return { user, org, session: began?.session ?? null };
  }
}
