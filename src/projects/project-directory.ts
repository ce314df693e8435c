import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CacheInvalidation } from '../events/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { afterCommit, Database } from '../platform/database/index.js';
import type { Tx } from '../platform/database/index.js';
import { normalizedHost, refOfHost } from './host-name.js';
import { PROJECT_REF } from './project.js';
import type { Project } from './project.js';
import { ProjectRepository } from './project.repository.js';

/** The longest that a missed announcement can keep an old answer alive. */
const LIFETIME_MS = 30_000;
const MAX_KNOWN = 10_000;
/** Kept apart, so that a flood of made-up names does not push out what exists. */
const MAX_UNKNOWN = 10_000;

/** Which project a ref, a host or an id stands for: read through a cache in this process. */
@Injectable()
export class ProjectDirectory {
  private readonly known = new LRUCache<string, Project>({ max: MAX_KNOWN, ttl: LIFETIME_MS });
  private readonly unknown = new LRUCache<string, true>({ max: MAX_UNKNOWN, ttl: LIFETIME_MS });
  private readonly listeners: (() => void)[] = [];
  /** Counts the invalidations, so that what was read before one is not kept after it. */
  private generation = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly projects: ProjectRepository,
    private readonly changes: CacheInvalidation,
  ) {
    changes.onChange((change) => {
      if (change === 'everything' || change.kind === 'project') this.forgetAll();
    });
  }

  async findById(id: string): Promise<Project | null> {
    return await this.through(`id:${id}`, () => this.projects.findById(this.database.reader, id));
  }

  async findByRef(ref: string): Promise<Project | null> {
    if (!PROJECT_REF.test(ref)) return null;
    return await this.through(`ref:${ref}`, () => this.projects.findByRef(this.database.reader, ref));
  }

  /** By the Host header of a request. A subdomain of `auth.project_domain` is a ref before it is anything else. */
  async findByHost(header: string): Promise<Project | null> {
    const host = normalizedHost(header);
    if (host === null) return null;
    const ref = refOfHost(host, this.config.auth.projectDomain);
    if (ref !== null) return await this.findByRef(ref);
    return await this.through(`host:${host}`, () => this.projects.findByHost(this.database.reader, host));
  }

  /** To be called in every transaction that makes, changes or deletes a project. */
  async changed(tx: Tx, projectId: string): Promise<void> {
    await this.changes.announce(tx, { kind: 'project', id: projectId });
    afterCommit(tx, () => {
      this.forgetAll();
    });
  }

  /** Tells of every time that what is known of projects may be outdated. */
  onForget(listener: () => void): void {
    this.listeners.push(listener);
  }

  private async through(key: string, read: () => Promise<Project | null>): Promise<Project | null> {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (this.unknown.has(key)) return null;
    const { generation } = this;
    const found = await read();
    if (generation !== this.generation) return found;
    if (found === null) this.unknown.set(key, true);
    else this.known.set(key, found);
    return found;
  }

  /** Projects are made and changed seldom; a ref or a host that did not exist may exist now. */
  private forgetAll(): void {
    this.generation += 1;
    this.known.clear();
    this.unknown.clear();
    for (const listener of this.listeners) listener();
  }
}
