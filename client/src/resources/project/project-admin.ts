import type { CallOptions } from '../../http/call.js';
import type { List } from '../../http/list.js';
import { AdminDeployment } from '../admin-deployment.js';
import { AdminMail } from '../admin-mail.js';
import type { Paged, ProjectApi, SharedApi } from '../apis.js';
import { AdminAudit } from '../audit.js';
import { AdminSettings } from '../settings.js';
import { importUsers, MAX_IMPORT_BYTES } from '../user-import.js';
import type { ImportOptions, ImportProgress, ImportSource } from '../user-import.js';
import type { Project, ProjectWithServiceKey } from './project-shapes.js';

const PROJECT = '/admin/v1/projects/{ref}';

interface NewProject {
  readonly ref: string;
  readonly name: string;
  /** The hosts of this project's requests, without ports. */
  readonly hosts?: string[] | undefined;
  /** Where the pages of its mails may end. */
  readonly redirect_urls?: string[] | undefined;
}

export class AdminProjects {
  constructor(private readonly api: ProjectApi) {}

  /** @param search how words of the ref and the name begin */
  list({ limit, search, signal }: Paged & CallOptions & { search?: string } = {}): List<Project> {
    return this.api.list('/admin/v1/projects', { query: { limit, search }, as: 'operator', signal });
  }

  /** Creates a project. Only this answer contains its service key. */
  async create(
    { ref, name, hosts, redirect_urls }: NewProject,
    { signal }: CallOptions = {},
  ): Promise<ProjectWithServiceKey> {
    const body = { ref, name, hosts, redirect_urls };
    return await this.api.post('/admin/v1/projects', { body, as: 'operator', signal });
  }

  async get(ref: string, { signal }: CallOptions = {}): Promise<Project> {
    return await this.api.get(PROJECT, { parameters: { ref }, as: 'operator', signal });
  }

  async update(
    ref: string,
    { name, hosts, redirect_urls }: { name?: string; hosts?: string[]; redirect_urls?: string[] },
    { signal }: CallOptions = {},
  ): Promise<Project> {
    return await this.api.patch(PROJECT, {
      parameters: { ref },
      body: { name, hosts, redirect_urls },
      as: 'operator',
      signal,
    });
  }

  /** Deletes a project with all that belongs to it. */
  async delete(ref: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete(PROJECT, { parameters: { ref }, as: 'operator', signal });
  }

  /** Replaces a key. The old one is refused within a second; only this answer contains a new service key. */
  async rotateKey(
    ref: string,
    key: 'anon' | 'service',
    { signal }: CallOptions = {},
  ): Promise<ProjectWithServiceKey> {
    const path = '/admin/v1/projects/{ref}/keys/rotate';
    return await this.api.post(path, { parameters: { ref }, body: { key }, as: 'operator', signal });
  }
}

/** The users of all projects. */
export class AdminProjectUsers {
  constructor(private readonly api: ProjectApi) {}

  /**
   * Creates users of projects, which each line names, with the hashes of another system. This can be repeated: lines
   * whose address has an account in the project change nothing.
   */
  async import(source: ImportSource, options: ImportOptions = {}): Promise<ImportProgress> {
    const { signal } = options;
    return await importUsers(source, MAX_IMPORT_BYTES, options, (raw, firstLine, headers) =>
      this.api.post('/admin/v1/users/import', {
        query: { first_line: firstLine },
        raw,
        headers,
        as: 'operator',
        signal,
      }),
    );
  }
}

/** The operations of the deployment's operator, with `createClient({ adminToken })`. */
export class ProjectAdmin {
  readonly projects: AdminProjects;
  readonly users: AdminProjectUsers;
  readonly audit: AdminAudit;
  readonly mail: AdminMail;
  readonly settings: AdminSettings;

  readonly deployment: AdminDeployment;

  constructor(api: ProjectApi, shared: SharedApi) {
    this.projects = new AdminProjects(api);
    this.users = new AdminProjectUsers(api);
    this.deployment = new AdminDeployment(shared);
    this.audit = new AdminAudit(shared);
    this.mail = new AdminMail(shared);
    this.settings = new AdminSettings(shared);
  }
}
