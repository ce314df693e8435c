import { Inject, Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { actorOf, AuditTrail } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import type { Caller, Origin, TenantId } from '../../platform/http/index.js';
import { Handlers } from '../invoker/index.js';
import { TriggerKinds } from '../triggers/index.js';
import type { PlacedTrigger } from '../triggers/index.js';
import type { JobChangeDto, JobDefinitionDto, RetryBackoffDto } from './dto/manifest.js';
import { JobEntity } from './job.entity.js';
import { JobRepository } from './job.repository.js';
import { manifestProblems } from './manifest-problems.js';
import { DEFAULT_BACKOFF } from './retry-backoff.js';
import type { RetryBackoff } from './retry-backoff.js';

/** The jobs of a tenant, registered by whole manifests: all of one, or nothing. */
@Injectable()
export class Definitions {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly jobs: JobRepository,
    private readonly handlers: Handlers,
    private readonly triggerKinds: TriggerKinds,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws validation_failed with every problem and its path */
  async register(
    tenantId: TenantId,
    manifest: readonly JobDefinitionDto[],
    caller: Caller,
    origin: Origin,
  ): Promise<JobChangeDto[]> {
    const details = manifestProblems(manifest, await this.handlers.known());
    const triggers = manifest.flatMap(placedTriggers);
    return await this.database.transaction(async (tx) => {
      await this.jobs.lockTenant(tx, tenantId);
      details.push(...(await this.triggerKinds.problems(tx, tenantId, triggers)));
      if (details.length > 0) throw new ServiceError('validation_failed', { details });
      const existing = new Map((await this.jobs.findAll(tx, tenantId)).map((job) => [job.id, job]));
      const wanted = manifest.map((definition) =>
        this.toEntity(tenantId, definition, existing.get(definition.id)),
      );
      const changes = wanted.map((job) => ({ id: job.id, change: changeOf(existing.get(job.id), job) }));
      const changed = changes.filter(({ change }) => change !== 'unchanged');
      if (changed.length === 0) return changes;
      await this.jobs.save(
        tx,
        tenantId,
        wanted.filter((_, index) => changes[index]?.change !== 'unchanged'),
      );
      await this.triggerKinds.apply(
        tx,
        tenantId,
        changed.map(({ id }) => ({ jobId: id, triggers: triggers.filter(({ jobId }) => jobId === id) })),
      );
      await this.audit.append(tx, {
        actor: actorOf(caller),
        action: 'jobs.registered',
        target: { type: 'org', id: tenantId },
        orgId: tenantId,
        userId: null,
        origin,
        details: { jobs: changed },
      });
      return changes;
    });
  }

  private toEntity(
    tenantId: TenantId,
    definition: JobDefinitionDto,
    before: JobEntity | undefined,
  ): JobEntity {
    return Object.assign(new JobEntity(), {
      tenantId,
      id: definition.id,
      name: definition.name,
      description: definition.description ?? null,
      handler: definition.handler,
      timeoutMs: definition.timeout_ms ?? this.config.jobs.defaultTimeoutMs,
      retries: definition.retries ?? 0,
      retryBackoff: toRetryBackoff(definition.retry_backoff),
      triggers: plainJson(definition.triggers ?? []),
      paused: definition.paused ?? before?.paused ?? false,
      maxConcurrentRuns: definition.max_concurrent_runs ?? null,
    });
  }
}

function placedTriggers(job: JobDefinitionDto, index: number): PlacedTrigger[] {
  return (job.triggers ?? []).map((definition, position) => ({
    jobId: job.id,
    position,
    path: `jobs[${index}].triggers[${position}]`,
    definition,
  }));
}

/** Without the classes of the validated manifest: as it comes back from the database, to be compared with that. */
function plainJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

function toRetryBackoff(declared: RetryBackoffDto | null | undefined): RetryBackoff {
  return declared == null
    ? DEFAULT_BACKOFF
    : { ...declared, jitter: declared.jitter ?? DEFAULT_BACKOFF.jitter };
}

function changeOf(before: JobEntity | undefined, after: JobEntity): JobChangeDto['change'] {
  if (before === undefined) return 'created';
  return isDeepStrictEqual(before, after) ? 'unchanged' : 'updated';
}
