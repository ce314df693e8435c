import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import type { OperatorOrganization, Organization, Rotated, SigningKey } from '../shapes.js';
import { AdminDeployment } from './admin-deployment.js';
import { AdminMail } from './admin-mail.js';
import { AdminMembers } from './admin-members.js';
import { AdminBrand, AdminTemplates } from './mail-templates.js';
import { AdminUsers } from './admin-users.js';
import type { OrganizationApi, Paged, SharedApi } from './apis.js';
import { AdminAudit } from './audit.js';
import { AdminSettings } from './settings.js';

export type OwnerReference = { ownerId: string } | { ownerEmail: string };

const ORGANIZATION = '/admin/v1/orgs/{org}';

export class AdminOrgs {
  readonly members: AdminMembers;

  constructor(private readonly api: OrganizationApi) {
    this.members = new AdminMembers(api);
  }

  /** @param search how words of the slug and the name begin */
  list({
    limit,
    search,
    signal,
  }: Paged & CallOptions & { search?: string } = {}): List<OperatorOrganization> {
    return this.api.list('/admin/v1/orgs', { query: { limit, search }, as: 'operator', signal });
  }

  /** An organization, given by its id or slug. */
  async get(org: string, { signal }: CallOptions = {}): Promise<OperatorOrganization> {
    return await this.api.get(ORGANIZATION, { parameters: { org }, as: 'operator', signal });
  }

  /** Creates an organization that is owned by an account, given by its id or its verified address. */
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

  /** Changes an organization, given by its id or slug. */
  async update(
    org: string,
    body: { name?: string; slug?: string; require_second_factor?: boolean },
    { signal }: CallOptions = {},
  ): Promise<Organization> {
    return await this.api.patch(ORGANIZATION, { parameters: { org }, body, as: 'operator', signal });
  }

  /** Deletes an organization with everything that belongs to it. */
  async delete(org: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete(ORGANIZATION, { parameters: { org }, as: 'operator', signal });
  }
}

export class AdminSigningKeys {
  constructor(private readonly api: OrganizationApi) {}

  list({ limit, signal }: Paged & CallOptions = {}): List<SigningKey> {
    return this.api.list('/admin/v1/signing-keys', { query: { limit }, as: 'operator', signal });
  }

  /** @param immediate for a leaked key: all access tokens in use are refused from now on */
  async rotate({ immediate, signal }: { immediate?: boolean } & CallOptions = {}): Promise<Rotated> {
    return await this.api.post('/admin/v1/signing-keys/rotate', {
      body: { immediate },
      as: 'operator',
      signal,
    });
  }
}

/** The operations of the deployment's operator, with `createClient({ adminToken })`. */
export class Admin {
  readonly users: AdminUsers;
  readonly orgs: AdminOrgs;
  readonly signingKeys: AdminSigningKeys;
  readonly deployment: AdminDeployment;
  readonly audit: AdminAudit;
  readonly mail: AdminMail;
  readonly templates: AdminTemplates;
  readonly brand: AdminBrand;
  readonly settings: AdminSettings;

  constructor(api: OrganizationApi, shared: SharedApi) {
    this.users = new AdminUsers(api);
    this.orgs = new AdminOrgs(api);
    this.signingKeys = new AdminSigningKeys(api);
    this.deployment = new AdminDeployment(shared);
    this.audit = new AdminAudit(shared);
    this.mail = new AdminMail(shared);
    this.templates = new AdminTemplates(api);
    this.brand = new AdminBrand(api);
    this.settings = new AdminSettings(shared);
  }
}
