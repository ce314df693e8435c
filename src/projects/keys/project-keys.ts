import { Inject, Injectable } from '@nestjs/common';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { join } from 'node:path';
import {
  ANY_CHANGE,
  CacheInvalidation,
  InvalidatedCache,
  whenResolved,
} from '../../cache-invalidation/index.js';
import type { MaybePromise } from '../../cache-invalidation/index.js';
import { PROJECT_TOKEN_ALGORITHM, ProjectSigningKeys } from '../../identity/index.js';
import type { ProjectSigningKey } from '../../identity/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { ProjectDirectory } from '../project-directory.js';
import { ProjectKeyFiles } from './project-key-files.js';

/** The key pair of a project. */
export interface ProjectKey {
  /** The thumbprint of the public key (RFC 7638). */
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicJwk: JsonWebKey;
}

const MAX_KEYS = 10_000;
/** The default folder of keys, used only with the embedded database. */
const DEFAULT_FOLDER = 'project-keys';

/** The Ed25519 keys of projects: one file for each in `auth.jwt_dir`, or `auth.jwt_pem` for all. */
@Injectable()
export class ProjectKeys extends ProjectSigningKeys {
  private readonly files: ProjectKeyFiles | null;
  /** An entry lives 30 s, so a file that an operator replaces takes effect after at most that time. */
  private readonly loaded: InvalidatedCache<ProjectKey>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    changes: CacheInvalidation,
    private readonly directory: ProjectDirectory,
  ) {
    super();
    const { jwtPem, jwtDir } = config.auth;
    const folder = jwtDir ?? join(config.server.dataDir, DEFAULT_FOLDER);
    this.files = jwtPem === null ? new ProjectKeyFiles(folder) : null;
    this.loaded = new InvalidatedCache(changes, ['project'], { maxEntries: MAX_KEYS });
  }

  ofProject(projectId: string): MaybePromise<ProjectSigningKey> {
    return whenResolved(this.directory.findById(projectId), (project) => {
      if (project === null) throw new Error(`the project ${projectId} does not exist`);
      return whenResolved(this.of(project.ref), (key) => ({ ref: project.ref, ...key }));
    });
  }

  /** The key of the project with this ref. @throws Error when its file is missing or invalid */
  of(ref: string): MaybePromise<ProjectKey> {
    return this.loaded.find(
      ref,
      () => this.load(ref),
      () => [ANY_CHANGE],
    );
  }

  /** Creates the key of a new project, if projects have their own keys. */
  async ensure(ref: string): Promise<void> {
    await this.files?.ensure(ref);
  }

  /** Removes the key of a deleted project. */
  async remove(ref: string): Promise<void> {
    await this.files?.remove(ref);
  }

  private async load(ref: string): Promise<ProjectKey> {
    const privateKey =
      this.files === null ? createPrivateKey(this.config.auth.jwtPem ?? '') : await this.files.read(ref);
    const publicKey = createPublicKey(privateKey);
    const jwk = await exportJWK(publicKey);
    const kid = await calculateJwkThumbprint(jwk);
    const publicJwk = { ...jwk, kid, alg: PROJECT_TOKEN_ALGORITHM, use: 'sig' };
    return { kid, privateKey, publicKey, publicJwk };
  }
}
