import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import type { ManagedSession, OperatorOrganization, OperatorUser, Rotated, SigningKey } from '../shapes.js';
import { AdminDeployment } from './admin-deployment.js';
import type { OrganizationApi, Paged, SharedApi } from './apis.js';

const USER = '/admin/v1/users/{id}';

/** The deployment's accounts. */
export class AdminUsers {
  constructor(private readonly api: OrganizationApi) {}

  list({ email, limit, signal }: { email?: string } & Paged & CallOptions = {}): List<OperatorUser> {
    return this.api.list('/admin/v1/users', { query: { email, limit }, as: 'operator', signal });
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<OperatorUser> {
    return await this.api.get(USER, { parameters: { id }, as: 'operator', signal });
  }

  async update(
    id: string,
    { disabled }: { disabled: boolean },
    { signal }: CallOptions = {},
  ): Promise<OperatorUser> {
    return await this.api.patch(USER, { parameters: { id }, body: { disabled }, as: 'operator', signal });
  }

  /** Live sessions, newest first. */
  sessions(id: string, { limit, signal }: Paged & CallOptions = {}): List<ManagedSession> {
    const input = { parameters: { id }, query: { limit }, as: 'operator', signal } as const;
    return this.api.list('/admin/v1/users/{id}/sessions', input);
  }

  /** Ends a session with its access tokens. */
  async endSession(id: string, sessionId: string, { signal }: CallOptions = {}): Promise<void> {
    const parameters = { id, session_id: sessionId };
    await this.api.delete('/admin/v1/users/{id}/sessions/{session_id}', {
      parameters,
      as: 'operator',
      signal,
    });
  }

  /** Ends all sessions with their access tokens. */
  async endSessions(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete('/admin/v1/users/{id}/sessions', { parameters: { id }, as: 'operator', signal });
  }
}

export type OwnerReference = { ownerId: string } | { ownerEmail: string };

export class AdminOrgs {
  constructor(private readonly api: OrganizationApi) {}

  list({ limit, signal }: Paged & CallOptions = {}): List<OperatorOrganization> {
    return this.api.list('/admin/v1/orgs', { query: { limit }, as: 'operator', signal });
  }

  /** Makes an organization for an account, which owns it: by its id or its address. */
  async create(
    { slug, name, ...owner }: { slug: string; name: string } & OwnerReference,
    { signal }: CallOptions = {},
  ): Promise<OperatorOrganization> {
    const body = 'ownerId' in owner ? { owner_id: owner.ownerId } : { owner_email: owner.ownerEmail };
    return await this.api.post('/admin/v1/orgs', {
      body: { slug, name, ...body },
      as: 'operator',
      signal,
    });
  }
}

export class AdminSigningKeys {
  constructor(private readonly api: OrganizationApi) {}

  list({ limit, signal }: Paged & CallOptions = {}): List<SigningKey> {
    return this.api.list('/admin/v1/signing-keys', { query: { limit }, as: 'operator', signal });
  }

  /** @param immediate for a leaked key: every access token in use is refused from now on */
  async rotate({ immediate, signal }: { immediate?: boolean } & CallOptions = {}): Promise<Rotated> {
    return await this.api.post('/admin/v1/signing-keys/rotate', {
      body: { immediate },
      as: 'operator',
      signal,
    });
  }
}

/** What the deployment's operator does, with `createClient({ adminToken })`. */
export class Admin {
  readonly users: AdminUsers;
  readonly orgs: AdminOrgs;
  readonly signingKeys: AdminSigningKeys;
  readonly deployment: AdminDeployment;

  constructor(api: OrganizationApi, shared: SharedApi) {
    this.users = new AdminUsers(api);
    this.orgs = new AdminOrgs(api);
    this.signingKeys = new AdminSigningKeys(api);
    this.deployment = new AdminDeployment(shared);
  }
}
