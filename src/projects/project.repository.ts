import { Injectable } from '@nestjs/common';
import {
  ADVISORY_LOCKS,
  firstRow,
  matchingIds,
  rows,
  searchQuery,
  violatesUnique,
} from '../platform/database/index.js';
import type { Reader, Tx } from '../platform/database/index.js';
import type { TenantId } from '../http/index.js';

/** The two keys of a project: the public one, and the one with all rights. */
export type ProjectKeyRole = 'anon' | 'service_role';

export interface Project {
  readonly id: TenantId;
  readonly ref: string;
  readonly name: string;
  /** Normalised; see `normalizedHost`. */
  readonly hosts: readonly string[];
  /** Where the pages of its mails may end. */
  readonly redirectUrls: readonly string[];
  /** The `jti` of the current anon key, and when it was issued. */
  readonly anonKeyId: string;
  readonly anonKeyAt: Date;
  readonly serviceKeyId: string;
  readonly serviceKeyAt: Date;
  readonly createdAt: Date;
}

/** `[a-z][a-z0-9-]{2,39}` (contract, section 6): also a DNS label, and the name of a key file. */
export const PROJECT_REF = /^[a-z][a-z0-9-]{2,39}$/;

const COLUMNS = `
  project.id, project.ref, project.name, project.redirect_urls AS "redirectUrls",
  project.anon_key_id AS "anonKeyId", project.anon_key_at AS "anonKeyAt",
  project.service_key_id AS "serviceKeyId", project.service_key_at AS "serviceKeyAt",
  project.created_at AS "createdAt",
  ARRAY(SELECT host FROM project_hosts WHERE project_id = project.id ORDER BY position) AS hosts`;

const FOUND = matchingIds('projects', "search_words(NULL, ref || ' ' || name, NULL)", '$3');

@Injectable()
export class ProjectRepository {
  async findById(handle: Tx | Reader, id: string): Promise<Project | null> {
    return await firstRow(handle, `SELECT ${COLUMNS} FROM projects project WHERE id = $1`, [id]);
  }

  async findByRef(handle: Tx | Reader, ref: string): Promise<Project | null> {
    return await firstRow(handle, `SELECT ${COLUMNS} FROM projects project WHERE ref = $1`, [ref]);
  }

  async findByHost(handle: Tx | Reader, host: string): Promise<Project | null> {
    return await firstRow(
      handle,
      `SELECT ${COLUMNS} FROM projects project
       WHERE id = (SELECT project_id FROM project_hosts WHERE host = $1)`,
      [host],
    );
  }

  /**
   * Newest first, before the id `before`.
   * @param search how words of the ref and the name begin; null for all projects
   */
  async list(
    handle: Tx | Reader,
    limit: number,
    before: string | null,
    search: string | null = null,
  ): Promise<Project[]> {
    const words = search === null ? null : searchQuery(search);
    if (search !== null && words === null) return [];
    return await rows(
      handle,
      `SELECT ${COLUMNS} FROM projects project
       WHERE ($2::uuid IS NULL OR id < $2)${words === null ? '' : ` AND id IN (${FOUND})`}
       ORDER BY id DESC LIMIT $1`,
      [limit, before, ...(words === null ? [] : [words])],
    );
  }

  /**
   * Keeps projects from being deleted until the transaction ends. @returns the ids of those that there are, by ref
   */
  async holdByRefs(tx: Tx, refs: readonly string[]): Promise<Map<string, string>> {
    const locked = await rows<{ id: string; ref: string }>(
      tx,
      'SELECT id, ref FROM projects WHERE ref = ANY ($1) ORDER BY id FOR SHARE',
      [refs],
    );
    return new Map(locked.map(({ id, ref }) => [ref, id]));
  }

  /** Holds the project until the transaction ends, so that its changes happen one after the other. */
  async lock(tx: Tx, ref: string): Promise<Project | null> {
    return await firstRow(tx, `SELECT ${COLUMNS} FROM projects project WHERE ref = $1 FOR UPDATE`, [ref]);
  }

  /**
   * Locks a ref until the transaction ends, whether or not a project has it, so that its key is created and removed one
   * at a time.
   */
  async holdRef(tx: Tx, ref: string): Promise<void> {
    await rows(tx, `SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || $1, $2))`, [
      ref,
      ADVISORY_LOCKS.projectRefs,
    ]);
  }

  /** @returns false when the ref is taken; the transaction must be rolled back then */
  async insertProject(tx: Tx, project: Project): Promise<boolean> {
    return await unlessTaken('projects_ref_key', () =>
      rows(
        tx,
        `INSERT INTO projects (id, ref, name, anon_key_id, anon_key_at, service_key_id, service_key_at, created_at,
                               redirect_urls)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          project.id,
          project.ref,
          project.name,
          project.anonKeyId,
          project.anonKeyAt,
          project.serviceKeyId,
          project.serviceKeyAt,
          project.createdAt,
          project.redirectUrls,
        ],
      ),
    );
  }

  async rename(tx: Tx, id: TenantId, name: string): Promise<void> {
    await rows(tx, 'UPDATE projects SET name = $2 WHERE id = $1', [id, name]);
  }

  async setRedirectUrls(tx: Tx, id: TenantId, urls: readonly string[]): Promise<void> {
    await rows(tx, 'UPDATE projects SET redirect_urls = $2 WHERE id = $1', [id, urls]);
  }

  /**
   * Sets the hosts of the project. Inserts in one order everywhere, so that two projects that swap hosts do not
   * deadlock.
   * @returns false when another project has one; as with `insert`
   */
  async setHosts(tx: Tx, id: TenantId, hosts: readonly string[]): Promise<boolean> {
    await rows(tx, 'DELETE FROM project_hosts WHERE project_id = $1', [id]);
    return await unlessTaken('project_hosts_pkey', () =>
      rows(
        tx,
        `INSERT INTO project_hosts (host, project_id, position)
         SELECT host, $1, position FROM unnest($2::text[]) WITH ORDINALITY AS wanted (host, position)
         ORDER BY host`,
        [id, hosts],
      ),
    );
  }

  async setKey(tx: Tx, id: TenantId, role: ProjectKeyRole, keyId: string, issuedAt: Date): Promise<void> {
    const prefix = role === 'anon' ? 'anon_key' : 'service_key';
    await rows(tx, `UPDATE projects SET ${prefix}_id = $2, ${prefix}_at = $3 WHERE id = $1`, [
      id,
      keyId,
      issuedAt,
    ]);
  }

  async delete(tx: Tx, id: TenantId): Promise<void> {
    await rows(tx, 'DELETE FROM projects WHERE id = $1', [id]);
  }
}

async function unlessTaken(constraint: string, write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (violatesUnique(error, constraint)) return false;
    throw error;
  }
}
