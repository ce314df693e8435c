import { Inject, Injectable, Logger } from '@nestjs/common';
import { join } from 'node:path';
import { OPERATOR } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { inspected, parseKeeping, repeatedNameOf, ServiceError } from '../../http/index.js';
import type { TenantId } from '../../http/index.js';
import type { BackgroundService } from '../../platform/lifecycle/index.js';
import { isDecoded, readTextFile } from '../../platform/text/index.js';
import { StartupError } from '../../platform/startup/index.js';
import { Tenancy } from '../../tenancy/index.js';
import { ALL_PERMISSIONS } from '../runs/model/run.js';
import { Definitions } from './definitions.js';
import { ManifestDto } from './dto/manifest.js';

/**
 * Registers the manifest of the deploy bundle when the program starts; `functions.dir` serves the bundle's functions.
 * Instances that start at the same time register one after the other, and only the first one changes anything. Jobs
 * that the bundle does not name stay, because they may have been registered through the API.
 */
@Injectable()
export class BundleRegistration implements BackgroundService {
  readonly name = 'deploy bundle';
  private readonly logger = new Logger('Bundle');

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly tenancy: Tenancy,
    private readonly definitions: Definitions,
  ) {}

  /** @throws StartupError with every problem and its path */
  async start(): Promise<void> {
    const { bundleDir, bundleOrg, bundleProject } = this.config.jobs;
    const owner = bundleOrg ?? bundleProject;
    if (bundleDir === null || owner === null) return;
    const tenantId = await this.tenant(owner);
    const file = join(bundleDir, 'jobs.json');
    const manifest = readManifest(file);
    try {
      const read = await inspected(ManifestDto, manifest);
      const options = { prune: false, held: ALL_PERMISSIONS, isRun: false, dryRun: false };
      const by = { actor: OPERATOR, origin: null } as const;
      const changes = await this.definitions.register(tenantId, read, options, by);
      const shown = changes.map(({ id, change }) => `${id} ${change}`).join(', ');
      this.logger.log(`${file} for ${owner}: ${shown || 'no jobs'}`);
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500) throw refusal(file, error);
      throw error;
    }
  }

  async stop(): Promise<void> {
    await Promise.resolve();
  }

  private async tenant(reference: string): Promise<TenantId> {
    const tenantId = await this.tenancy.find(reference);
    if (tenantId !== null) return tenantId;
    const setting = this.config.jobs.bundleOrg === null ? 'jobs.bundle_project' : 'jobs.bundle_org';
    throw new StartupError(
      `${setting} names the ${this.tenancy.noun} ${reference}, which does not exist; ` +
        'start without jobs.bundle_dir and create it first',
    );
  }
}

function readManifest(file: string): unknown {
  let text: string;
  try {
    const decoded = readTextFile(file);
    if (!isDecoded(decoded)) throw new Error(`it ${decoded.problem}`);
    text = decoded.text;
  } catch (error) {
    throw new StartupError(
      `${file}, the manifest of jobs.bundle_dir, cannot be read: ${(error as Error).message}`,
    );
  }
  try {
    JSON.parse(text);
    const repeated = repeatedNameOf(text);
    if (repeated !== null) throw new Error(`it names ${repeated} twice`);
    return parseKeeping(text, 'payload');
  } catch (error) {
    throw new StartupError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
}

function refusal(file: string, error: ServiceError): StartupError {
  const problems = (error.details ?? []).map(({ path, message }) => `${path || 'the manifest'}: ${message}`);
  if (error.unlisted > 0) problems.push(`…and ${error.unlisted} more`);
  const lines = problems.length === 0 ? [`${error.code}: ${error.message}`] : problems;
  return new StartupError([`the manifest ${file} is invalid:`, ...lines].join('\n'));
}
