import type { ProjectPaths, SharedPaths } from './generated/api.js';
import { Api } from './http/api.js';
import { Transport } from './http/transport.js';
import { bearerOf, settingsOf } from './options.js';
import type { ClientOptions } from './options.js';
import { Attempts } from './resources/attempts.js';
import { Health } from './resources/health.js';
import { Hooks } from './resources/hooks.js';
import type { AnyJobs } from './resources/job-types.js';
import { Jobs } from './resources/jobs.js';
import type { JobsOf } from './resources/jobs.js';
import { Logs } from './resources/logs.js';
import { ProjectAudit } from './resources/audit.js';
import { ProjectAdmin } from './resources/project/project-admin.js';
import type { ProjectApi } from './resources/apis.js';
import type { ProjectUser } from './resources/project/project-shapes.js';
import { ProjectAuth } from './resources/project/project-auth.js';
import { ProjectBrand, Templates } from './resources/mail-templates.js';
import { ProjectMail } from './resources/project/project-mail.js';
import { ProjectPages } from './resources/project/project-pages.js';
import { ProjectUsers } from './resources/project/project-users.js';
import { Runs } from './resources/runs.js';
import { SigningSecrets } from './resources/signing-secret.js';
import { Vault } from './resources/vault.js';
import { claimsOf } from './session/access-token.js';
import { sessionOf } from './session/session.js';
import type { Session } from './session/session.js';
import { SessionKeeper } from './session/session-keeper.js';
import { defaultStorage } from './session/session-storage.js';

interface ProjectOptions extends ClientOptions {
  readonly org?: undefined;
}

/** For a project: identified by its key, or by an address whose host belongs to the project. */
export type ProjectClientOptions =
  | (ProjectOptions & {
      /** The project's anon key; on a server the service key. */
      readonly apikey: string;
      readonly profile?: 'project' | undefined;
    })
  | (ProjectOptions & {
      readonly profile: 'project';
      readonly apikey?: undefined;
      /** The ref of the project in which an operator acts. The `credential` is the operator's token. */
      readonly project?: string | undefined;
    });

/** A client of a service in the project profile. */
export class ProjectClient<Types = AnyJobs> {
  readonly auth: ProjectAuth;
  readonly users: ProjectUsers;
  readonly templates: Templates;
  readonly mail: ProjectMail;
  readonly brand: ProjectBrand;
  readonly jobs: JobsOf<Types>;
  readonly runs: Runs;
  readonly attempts: Attempts;
  readonly logs: Logs;
  readonly vault: Vault;
  readonly signingSecret: SigningSecrets;
  readonly hooks: Hooks;
  readonly pages: ProjectPages;
  readonly health: Health;
  readonly audit: ProjectAudit;
  readonly admin: ProjectAdmin;
  /** Every operation by method and path. */
  readonly api: ProjectApi;

  constructor(transport: Transport, keeper: SessionKeeper<ProjectUser>) {
    const api = new Api<ProjectPaths>(transport);
    const shared = new Api<SharedPaths>(transport);
    this.api = api;
    this.auth = new ProjectAuth(api, keeper);
    this.users = new ProjectUsers(api);
    this.templates = new Templates(api);
    this.mail = new ProjectMail(api);
    this.brand = new ProjectBrand(api);
    // A typed client differs only in its types.
    this.jobs = new Jobs(shared) as JobsOf<Types>;
    this.runs = new Runs(shared);
    this.attempts = new Attempts(shared);
    this.logs = new Logs(shared);
    this.vault = new Vault(shared);
    this.signingSecret = new SigningSecrets(shared);
    this.hooks = new Hooks(shared);
    this.pages = new ProjectPages(api);
    this.health = new Health(shared);
    this.audit = new ProjectAudit(api);
    this.admin = new ProjectAdmin(api, shared);
  }
}

function projectHeaders(options: ProjectClientOptions): Readonly<Record<string, string>> {
  if (options.apikey !== undefined) return { apikey: options.apikey };
  return options.project === undefined ? {} : { 'X-Service-Project': options.project };
}

export function createProjectClient<Types>(options: ProjectClientOptions): ProjectClient<Types> {
  const { apikey, credential, storage = defaultStorage() } = options;
  const settings = settingsOf(options, { headers: projectHeaders(options) });
  const renew = async ({ refresh_token, user }: Session<ProjectUser>): Promise<Session<ProjectUser>> => {
    const body = { refresh_token };
    const answer = await new Api<ProjectPaths>(transport).post('/auth/v1/token', { body, as: 'nobody' });
    return sessionOf(answer, user, Date.now());
  };
  const ref = apikey === undefined ? '' : `:${claimsOf(apikey)?.ref ?? ''}`;
  const key = options.storageKey ?? `service.session:${settings.url}${ref}`;
  const keeper = new SessionKeeper<ProjectUser>(storage, key, renew);
  const transport = new Transport(settings, credential === undefined ? keeper : bearerOf(credential));
  return new ProjectClient<Types>(transport, keeper);
}
