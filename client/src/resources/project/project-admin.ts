import type { CallOptions } from '../../http/call.js';
import type { List } from '../../http/list.js';
import { AdminDeployment } from '../admin-deployment.js';
import type { Paged, ProjectApi, SharedApi } from '../apis.js';
import { AdminAudit } from '../audit.js';
import type { Project, ProjectWithServiceKey } from './project-shapes.js';

const PROJECT = '/admin/v1/projects/{ref}';

interface NewProject {
  readonly ref: string;
  readonly name: string;
  /** Whose requests are for this project, without port. */
  readonly hosts?: string[] | undefined;
}

export class AdminProjects {
  constructor(private readonly api: ProjectApi) {}

  list({ limit, signal }: Paged & CallOptions = {}): List<Project> {
    return this.api.list('/admin/v1/projects', { query: { limit }, as: 'operator', signal });
  }

  /** Makes a project. Its service key is in this answer and in no other. */
  async create(
    { ref, name, hosts }: NewProject,
    { signal }: CallOptions = {},
  ): Promise<ProjectWithServiceKey> {
    return await this.api.post('/admin/v1/projects', { body: { ref, name, hosts }, as: 'operator', signal });
  }

  async get(ref: string, { signal }: CallOptions = {}): Promise<Project> {
    return await this.api.get(PROJECT, { parameters: { ref }, as: 'operator', signal });
  }

  async update(
    ref: string,
    { name, hosts }: { name?: string; hosts?: string[] },
    { signal }: CallOptions = {},
  ): Promise<Project> {
    return await this.api.patch(PROJECT, {
      parameters: { ref },
      body: { name, hosts },
      as: 'operator',
      signal,
    });
  }

  /** Deletes a project with all that belongs to it. */
  async delete(ref: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete(PROJECT, { parameters: { ref }, as: 'operator', signal });
  }

  /** Replaces a key; the old one is refused within a second, and a new service key is shown here only. */
  async rotateKey(
    ref: string,
    key: 'anon' | 'service',
    { signal }: CallOptions = {},
  ): Promise<ProjectWithServiceKey> {
    const path = '/admin/v1/projects/{ref}/keys/rotate';
    return await this.api.post(path, { parameters: { ref }, body: { key }, as: 'operator', signal });
  }
}

/** What the deployment's operator does, with `createClient({ adminToken })`. */
export class ProjectAdmin {
  readonly projects: AdminProjects;
  readonly audit: AdminAudit;

  readonly deployment: AdminDeployment;

  constructor(api: ProjectApi, shared: SharedApi) {
    this.projects = new AdminProjects(api);
    this.deployment = new AdminDeployment(shared);
    this.audit = new AdminAudit(shared);
  }
}
