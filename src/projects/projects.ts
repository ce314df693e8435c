import { Inject, Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { AuditTrail } from '../audit/index.js';
import type { AuditContext } from '../audit/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { newId } from '../platform/crypto/index.js';
import { Database } from '../platform/database/index.js';
import type { Tx } from '../platform/database/index.js';
import { ServiceError } from '../http/index.js';
import type { TenantId } from '../http/index.js';
import type { TenantEvent } from '../tenancy/index.js';
import { readHosts } from './project-hosts.js';
import { readRedirectUrls } from './project-redirect-urls.js';
import type { Project, ProjectKeyRole } from './project.repository.js';
import { ProjectDirectory } from './project-directory.js';
import { ProjectKeys } from './keys/project-keys.js';
import { ProjectRepository } from './project.repository.js';

export interface WantedProject {
  readonly ref: string;
  readonly name: string;
  readonly hosts: readonly unknown[];
  readonly redirectUrls: readonly unknown[];
}

/** What of a project is to change. */
export type ProjectChange = Partial<Omit<WantedProject, 'ref'>>;

function createdDetails({ ref, name, hosts, redirectUrls }: Project): Readonly<Record<string, unknown>> {
  const urls = redirectUrls.length === 0 ? {} : { redirect_urls: redirectUrls };
  return { ref, name, hosts, ...urls };
}

/** Creates and changes projects for the operator. */
@Injectable()
export class Projects {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly projects: ProjectRepository,
    private readonly directory: ProjectDirectory,
    private readonly keys: ProjectKeys,
    private readonly audit: AuditTrail,
  ) {}

  /** As `ProjectRepository.list` does. */
  async list(limit: number, before: string | null, search: string | null): Promise<Project[]> {
    return await this.projects.list(this.database.reader, limit, before, search);
  }

  /** @throws project_not_found */
  async find(ref: string): Promise<Project> {
    const project = await this.projects.findByRef(this.database.reader, ref);
    if (project === null) throw new ServiceError('project_not_found');
    return project;
  }

  /**
   * Creates a project with its two keys, and with its signing key if projects have their own. @throws ref_taken,
   * host_taken
   */
  async create(wanted: WantedProject, by: AuditContext): Promise<Project> {
    const { ref, name } = wanted;
    const now = new Date();
    const project: Project = {
      ref,
      name,
      ...this.listsOf(wanted),
      id: newId() as TenantId,
      anonKeyId: newId(),
      anonKeyAt: now,
      serviceKeyId: newId(),
      serviceKeyAt: now,
      createdAt: now,
    };
    await this.database.transaction(async (tx) => {
      await this.projects.holdRef(tx, ref);
      if (!(await this.projects.insertProject(tx, project))) throw new ServiceError('ref_taken');
      await this.setHosts(tx, project.id, project.hosts);
      await this.record(tx, project, 'project.created', createdDetails(project), by);
      // Last, so that a refusal leaves no file. The next project with this ref uses a file that a crash leaves.
      await this.keys.ensure(ref);
    });
    return project;
  }

  /** @throws project_not_found, host_taken */
  async change(ref: string, wanted: ProjectChange, by: AuditContext): Promise<Project> {
    const wantedLists = this.listsOf(wanted);
    return await this.changing(ref, by, async (tx, project) => {
      const { name = project.name } = wanted;
      const { hosts, redirectUrls } = { ...project, ...wantedLists };
      const details: Record<string, unknown> = {};
      if (name !== project.name) {
        await this.projects.rename(tx, project.id, name);
        details.name = { from: project.name, to: name };
      }
      if (!isDeepStrictEqual(hosts, project.hosts)) {
        await this.setHosts(tx, project.id, hosts);
        details.hosts = { from: project.hosts, to: hosts };
      }
      if (!isDeepStrictEqual(redirectUrls, project.redirectUrls)) {
        await this.projects.setRedirectUrls(tx, project.id, redirectUrls);
        details.redirect_urls = { from: project.redirectUrls, to: redirectUrls };
      }
      if (Object.keys(details).length > 0) await this.record(tx, project, 'project.updated', details, by);
      return { ...project, name, hosts, redirectUrls };
    });
  }

  /** Replaces the anon or service key; every instance refuses the old one within a second. */
  async rotateKey(ref: string, role: ProjectKeyRole, by: AuditContext): Promise<Project> {
    return await this.changing(ref, by, async (tx, project) => {
      const [keyId, issuedAt] = [newId(), new Date()];
      await this.projects.setKey(tx, project.id, role, keyId, issuedAt);
      const formerId = role === 'anon' ? project.anonKeyId : project.serviceKeyId;
      await this.record(tx, project, 'project.key_rotated', { role, key_id: keyId }, by, [
        { type: 'api_key.created', data: { key_id: keyId, name: role } },
        { type: 'api_key.revoked', data: { key_id: formerId, name: role } },
      ]);
      return role === 'anon'
        ? { ...project, anonKeyId: keyId, anonKeyAt: issuedAt }
        : { ...project, serviceKeyId: keyId, serviceKeyAt: issuedAt };
    });
  }

  private async changing(
    ref: string,
    by: AuditContext,
    change: (tx: Tx, project: Project) => Promise<Project>,
  ): Promise<Project> {
    return await this.database.serialTransaction(ref, by.actor, async (tx) => {
      const project = await this.projects.lock(tx, ref);
      if (project === null) throw new ServiceError('project_not_found');
      return await change(tx, project);
    });
  }

  /** The lists that are given, checked. @throws validation_failed with every problem */
  private listsOf<Given extends Partial<Pick<WantedProject, 'hosts' | 'redirectUrls'>>>(
    given: Given,
  ): { [List in keyof Given & ('hosts' | 'redirectUrls')]: string[] } {
    const { hosts, problems } = readHosts(given.hosts ?? [], this.config.auth.projectDomain);
    const read = readRedirectUrls(given.redirectUrls ?? []);
    const all = [...problems, ...read.problems];
    if (all.length > 0) throw new ServiceError('validation_failed', { details: all });
    return {
      ...(given.hosts === undefined ? {} : { hosts }),
      ...(given.redirectUrls === undefined ? {} : { redirectUrls: read.urls }),
    } as { [List in keyof Given & ('hosts' | 'redirectUrls')]: string[] };
  }

  private async setHosts(tx: Tx, id: TenantId, hosts: readonly string[]): Promise<void> {
    if (!(await this.projects.setHosts(tx, id, hosts))) throw new ServiceError('host_taken');
  }

  private async record(
    tx: Tx,
    { id }: Project,
    action: string,
    details: Readonly<Record<string, unknown>>,
    { actor, origin }: AuditContext,
    events: readonly TenantEvent[] = [],
  ): Promise<void> {
    await this.audit.append(tx, {
      events,
      actor,
      action,
      target: { type: 'project', id },
      tenantId: id,
      userId: null,
      origin,
      details,
    });
    await this.directory.changed(tx, id);
  }
}
