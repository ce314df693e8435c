import type { OrganizationPaths, SharedPaths } from './generated/api.js';
import { Api } from './http/api.js';
import { Transport } from './http/transport.js';
import { bearerOf, settingsOf } from './options.js';
import type { ClientOptions } from './options.js';
import { Admin } from './resources/admin.js';
import { ApiKeys } from './resources/api-keys.js';
import { Attempts } from './resources/attempts.js';
import { Auth } from './resources/auth.js';
import { Health } from './resources/health.js';
import { Hooks } from './resources/hooks.js';
import { Invitations } from './resources/invitations.js';
import type { AnyJobs } from './resources/job-types.js';
import { Jobs } from './resources/jobs.js';
import type { JobsOf } from './resources/jobs.js';
import { Logs } from './resources/logs.js';
import { Members } from './resources/members.js';
import type { OrganizationApi } from './resources/apis.js';
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
  /** Id or slug of the organization to act in. A member of exactly one may omit it. */
  readonly org?: string | undefined;
  readonly apikey?: undefined;
  readonly profile?: 'organization' | undefined;
}

/** A client of a service in the organization profile. */
export class OrganizationClient<Types = AnyJobs> {
  readonly auth: Auth;
  readonly orgs: Orgs;
  readonly members: Members;
  readonly roles: Roles;
  readonly invitations: Invitations;
  readonly apiKeys: ApiKeys;
  readonly permissions: Permissions;
  readonly jobs: JobsOf<Types>;
  readonly runs: Runs;
  readonly attempts: Attempts;
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
    const api = new Api<OrganizationPaths>(transport);
    const shared = new Api<SharedPaths>(transport);
    const { org } = transport.settings;
    this.api = api;
    this.auth = new Auth(api, keeper);
    this.orgs = new Orgs(api, org);
    this.members = new Members(api, org);
    this.roles = new Roles(api, org);
    this.invitations = new Invitations(api, org, keeper);
    this.apiKeys = new ApiKeys(api, org);
    this.permissions = new Permissions(api);
    // A typed client differs only in its types.
    this.jobs = new Jobs(shared) as JobsOf<Types>;
    this.runs = new Runs(shared);
    this.attempts = new Attempts(shared);
    this.logs = new Logs(shared);
    this.vault = new Vault(shared);
    this.signingSecret = new SigningSecrets(shared);
    this.hooks = new Hooks(shared);
    this.pages = new Pages(api);
    this.health = new Health(shared);
    this.admin = new Admin(api, shared);
  }

  /** The same caller in another organization. */
  inOrg(org: string): OrganizationClient<Types> {
    return new OrganizationClient<Types>(this.transport.inOrg(org), this.keeper);
  }
}

export function createOrganizationClient<Types>(
  options: OrganizationClientOptions,
): OrganizationClient<Types> {
  const { org, credential, storage = defaultStorage() } = options;
  const settings = settingsOf(options, { org });
  const renew = async ({ refresh_token }: Session<User>): Promise<Session<User>> => {
    const answer = await new Api<OrganizationPaths>(transport).post('/auth/v1/token', {
      query: { grant_type: 'refresh_token' },
      body: { refresh_token },
      as: 'nobody',
    });
    return sessionOf(answer, answer.user, Date.now());
  };
  const key = options.storageKey ?? `service.session:${settings.url}`;
  const keeper = new SessionKeeper<User>(storage, key, renew);
  const transport = new Transport(settings, credential === undefined ? keeper : bearerOf(credential));
  return new OrganizationClient<Types>(transport, keeper);
}
