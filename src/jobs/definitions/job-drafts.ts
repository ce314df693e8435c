import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { FieldProblems, TenantId } from '../../platform/http/index.js';
import { TimeSlice } from '../../platform/lifecycle/index.js';
import { limitReached } from '../../platform/limits/index.js';
import { Tenancy } from '../../platform/tenancy/index.js';
import { Handlers } from '../invoker/index.js';
import { DEFAULT_BACKOFF } from '../runs/model/retry-backoff.js';
import type { RetryBackoff } from '../runs/model/retry-backoff.js';
import type { JobChangeDto, JobDefinitionDto, RetryBackoffDto } from './dto/manifest.js';
import { JobEntity } from './job.entity.js';
import { addManifestProblems } from './manifest-problems.js';
import type { DeclaredJob } from './manifest-problems.js';

/** Of one job, so that a page of a hundred is written without keeping others waiting. */
const MAX_TRIGGERS_BYTES = 65_536;

/** Jobs as a manifest wants them. */
@Injectable()
export class JobDrafts {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly handlers: Handlers,
    private readonly tenancy: Tenancy,
  ) {}

  /** Adds what is wrong with a manifest beyond the form of its fields, triggers apart. */
  async findProblems(jobs: readonly DeclaredJob[], problems: FieldProblems): Promise<void> {
    addManifestProblems(problems, jobs, await this.handlers.known());
    const slice = new TimeSlice();
    for (const [index, job] of jobs.entries()) {
      await slice.yieldIfSpent();
      if (Buffer.byteLength(JSON.stringify(job?.triggers ?? [])) > MAX_TRIGGERS_BYTES)
        problems.add(`jobs[${index}].triggers`, `must be at most ${MAX_TRIGGERS_BYTES} bytes of JSON`);
    }
    if (this.tenancy.hasOpenJobs) return;
    for (const [index, job] of jobs.entries())
      if (job?.invocable_by !== undefined)
        problems.add(`jobs[${index}].invocable_by`, 'is of projects; here roles say who may trigger');
  }

  /**
   * Demands that a tenant may have as many jobs as it has after these changes. Where the limit was lowered below what
   * it has, it may still change and remove jobs. @throws limit_reached
   */
  requireQuota(before: number, changes: readonly JobChangeDto[]): void {
    const countOf = (wanted: JobChangeDto['change']): number =>
      changes.filter(({ change }) => change === wanted).length;
    const after = before + countOf('created') - countOf('deleted');
    const { limits } = this.config;
    if (limits.jobs > 0 && after > limits.jobs && after > before) throw limitReached(limits, 'jobs');
  }

  /** The job as a definition says it; what that leaves out is as before, or the default. */
  draft(tenantId: TenantId, definition: JobDefinitionDto, before: JobEntity | undefined): JobEntity {
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
      invocableBy: definition.invocable_by ?? null,
    });
  }
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
