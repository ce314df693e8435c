import { Inject, Injectable } from '@nestjs/common';
import { ANY_CHANGE, CacheInvalidation, InvalidatedCache } from '../cache-invalidation/index.js';
import type { MaybePromise } from '../cache-invalidation/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { Database } from '../platform/database/index.js';
import type { Tx } from '../platform/database/index.js';
import { normalizedHost, refOfHost } from './project-hosts.js';
import { PROJECT_REF, ProjectRepository } from './project.repository.js';
import type { Project } from './project.repository.js';

const MAX_PROJECTS = 10_000;

/** Which project a ref, a host or an id stands for: read through a cache in this process. */
@Injectable()
export class ProjectDirectory {
  private readonly cache: InvalidatedCache<Project | null>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly projects: ProjectRepository,
    private readonly changes: CacheInvalidation,
  ) {
    this.cache = new InvalidatedCache(changes, ['project'], { maxEntries: MAX_PROJECTS });
  }

  findById(id: string): MaybePromise<Project | null> {
    return this.through(`id:${id}`, () => this.projects.findById(this.database.reader, id));
  }

  /** Not from the cache: a URL that was taken off the list is not followed from then on. */
  async redirectUrlsOf(id: string): Promise<readonly string[]> {
    return (await this.projects.findById(this.database.reader, id))?.redirectUrls ?? [];
  }

  async findByRef(ref: string): Promise<Project | null> {
    if (!PROJECT_REF.test(ref)) return null;
    return await this.through(`ref:${ref}`, () => this.projects.findByRef(this.database.reader, ref));
  }

  /** By the Host header of a request. A subdomain of `auth.project_domain` is always a ref. */
  async findByHost(header: string): Promise<Project | null> {
    const host = normalizedHost(header);
    if (host === null) return null;
    const ref = refOfHost(host, this.config.auth.projectDomain);
    if (ref !== null) return await this.findByRef(ref);
    return await this.through(`host:${host}`, () => this.projects.findByHost(this.database.reader, host));
  }

  /** To be called in every transaction that creates, changes or deletes a project. */
  async changed(tx: Tx, projectId: string): Promise<void> {
    await this.changes.announce(tx, { kind: 'project', id: projectId });
  }

  /** Projects change rarely, and any change may concern a ref or a host that did not exist before. */
  private through(key: string, read: () => Promise<Project | null>): MaybePromise<Project | null> {
    return this.cache.find(key, read, () => [ANY_CHANGE]);
  }
}
