import type { paths } from './generated/organization-api.js';
import { Api } from './http/api.js';
import { Transport } from './http/transport.js';
import { bearerOf, settingsOf } from './options.js';
import type { ClientOptions } from './options.js';
import { Admin } from './resources/admin.js';
import { ApiKeys } from './resources/api-keys.js';
import { Auth } from './resources/auth.js';
import { Health } from './resources/health.js';
import { Hooks } from './resources/hooks.js';
import { Invitations } from './resources/invitations.js';
import { Jobs } from './resources/jobs.js';
import { Logs } from './resources/logs.js';
import { Members } from './resources/members.js';
import type { OrganizationApi } from './resources/organization-api.js';
import { Orgs } from './resources/orgs.js';
import { Pages } from './resources/pages.js';
import { Permissions } from './resources/permissions.js';
import { Roles } from './resources/roles.js';
import { Runs } from './resources/runs.js';
import { SigningSecrets } from './resources/signing-secret.js';
import { Vault } from './resources/vault.js';
import { sessionOf } from './session/session.js';
import type { Session } from './session/session.js';
import { SessionKeeper } from './session/session-keeper.js';
import { defaultStorage } from './session/session-storage.js';
import type { User } from './shapes.js';

export interface OrganizationClientOptions extends ClientOptions {
  /** Id or slug of the organization to act in; a member of exactly one may leave it out. */
  readonly org?: string | undefined;
  readonly apikey?: undefined;
  readonly profile?: 'organization' | undefined;
}

/** A client of a service in the organization profile. */
export class OrganizationClient {
  readonly auth: Auth;
  readonly orgs: Orgs;
  readonly members: Members;
  readonly roles: Roles;
  readonly invitations: Invitations;
  readonly apiKeys: ApiKeys;
  readonly permissions: Permissions;
  readonly jobs: Jobs;
  readonly runs: Runs;
  readonly logs: Logs;
  readonly vault: Vault;
  readonly signingSecret: SigningSecrets;
  readonly hooks: Hooks;
  readonly pages: Pages;
  readonly health: Health;
  readonly admin: Admin;
  /** Every operation by method and path. */
  readonly api: OrganizationApi;

  constructor(
    private readonly transport: Transport,
    private readonly keeper: SessionKeeper<User>,
  ) {
    const api = new Api<paths>(transport);
    const { org } = transport.settings;
    this.api = api;
    this.auth = new Auth(api, keeper);
    this.orgs = new Orgs(api, org);
    this.members = new Members(api, org);
    this.roles = new Roles(api, org);
    this.invitations = new Invitations(api, org, keeper);
    this.apiKeys = new ApiKeys(api, org);
    this.permissions = new Permissions(api);
    this.jobs = new Jobs(api);
    this.runs = new Runs(api);
    this.logs = new Logs(api);
    this.vault = new Vault(api);
    this.signingSecret = new SigningSecrets(api);
    this.hooks = new Hooks(api);
    this.pages = new Pages(api);
    this.health = new Health(api);
    this.admin = new Admin(api);
  }

  /** The same caller in another organization. */
  inOrg(org: string): OrganizationClient {
    return new OrganizationClient(this.transport.inOrg(org), this.keeper);
  }
}

export function createOrganizationClient(options: OrganizationClientOptions): OrganizationClient {
  const { org, credential, storage = defaultStorage() } = options;
  const settings = settingsOf(options, { org });
  const renew = async ({ refresh_token }: Session<User>): Promise<Session<User>> => {
    const answer = await new Api<paths>(transport).post('/auth/v1/token', {
      query: { grant_type: 'refresh_token' },
      body: { refresh_token },
      as: 'nobody',
    });
    return sessionOf(answer, answer.user, Date.now());
  };
  const key = options.storageKey ?? `service.session:${settings.url}`;
  const keeper = new SessionKeeper<User>(storage, key, renew);
  const transport = new Transport(settings, credential === undefined ? keeper : bearerOf(credential));
  return new OrganizationClient(transport, keeper);
}
