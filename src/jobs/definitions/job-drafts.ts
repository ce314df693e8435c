import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { FieldProblems, TenantId } from '../../http/index.js';
import { TimeSlice } from '../../platform/lifecycle/index.js';
import { limitReached } from '../../limits/index.js';
import { Tenancy } from '../../tenancy/index.js';
import { NO_REFERENCE, secretPathIn } from '../../vault/index.js';
import { EndpointClient, Handlers, isEndpoint } from '../invoker/index.js';
import type { Concurrency } from '../runs/model/concurrency.js';
import { DEFAULT_BACKOFF } from '../runs/model/retry-backoff.js';
import type { RetryPolicy } from '../runs/model/retry-backoff.js';
import { toStoredTrigger } from '../triggers/index.js';
import type { JobChangeDto, JobDefinitionDto } from './dto/manifest.js';
import { JobEntity } from './job.entity.js';

/** Per job, so that writing a page of a hundred jobs does not block other requests. */
const MAX_TRIGGERS_BYTES = 65_536;

/** Turns the definitions of a manifest into jobs. */
@Injectable()
export class JobDrafts {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly handlers: Handlers,
    private readonly endpoints: EndpointClient,
    private readonly tenancy: Tenancy,
  ) {}

  /** Adds the problems of a manifest that go beyond the form of its fields, except those of triggers. */
  async findProblems(jobs: readonly DeclaredJob[], problems: FieldProblems): Promise<void> {
    addManifestProblems(problems, jobs, await this.handlers.known());
    for (const [index, job = {}] of jobs.entries()) {
      addHandlerProblems(problems, index, job, this.endpoints);
      if (job.acts_as === 'caller') addCallerProblems(problems, index, job);
    }
    const slice = new TimeSlice();
    for (const [index, job] of jobs.entries()) {
      await slice.yieldIfSpent();
      if (Buffer.byteLength(JSON.stringify(job?.triggers ?? [])) > MAX_TRIGGERS_BYTES)
        problems.add(`jobs[${index}].triggers`, `must be at most ${MAX_TRIGGERS_BYTES} bytes of JSON`);
    }
    if (this.tenancy.hasOpenJobs) return;
    for (const [index, job] of jobs.entries())
      if (job?.invocable_by !== undefined)
        problems.add(
          `jobs[${index}].invocable_by`,
          'is available only in projects; in an organization, roles decide who may trigger a job',
        );
  }

  /**
   * Requires that the tenant may have as many jobs as it has after these changes. If the limit was lowered below the
   * present number, the tenant may still change and remove jobs. @throws limit_reached
   */
  requireQuota(before: number, changes: readonly JobChangeDto[]): void {
    const countOf = (wanted: JobChangeDto['change']): number =>
      changes.filter(({ change }) => change === wanted).length;
    const after = before + countOf('created') - countOf('deleted');
    const { limits } = this.config;
    if (limits.jobs > 0 && after > limits.jobs && after > before) throw limitReached(limits, 'jobs');
  }

  /**
   * The job that a definition describes. `paused` stays as it was if the definition omits it; other fields get
   * defaults.
   */
  draft(tenantId: TenantId, definition: JobDefinitionDto, before: JobEntity | undefined): JobEntity {
    return Object.assign(new JobEntity(), {
      tenantId,
      id: definition.id,
      name: definition.name,
      description: definition.description ?? null,
      handler: definition.handler,
      signingSecret: definition.signing_secret === undefined ? null : secretPathIn(definition.signing_secret),
      timeoutMs: definition.timeout_ms ?? this.config.jobs.defaultTimeoutMs,
      retries: definition.retries ?? 0,
      retryBackoff: toRetryPolicy(definition),
      triggers: (definition.triggers ?? []).map(toStoredTrigger),
      paused: definition.paused ?? before?.paused ?? false,
      maxConcurrentRuns: definition.max_concurrent_runs ?? null,
      concurrency: toConcurrency(definition),
      rate: definition.rate === undefined ? null : { ...definition.rate },
      debounce: definition.debounce === undefined ? null : { ...definition.debounce },
      priority: definition.priority ?? 0,
      startWithinMs: definition.start_within_ms ?? null,
      retentionDays: definition.retention_days ?? null,
      actsAsCaller: definition.acts_as === 'caller',
      permissions: definition.permissions ?? null,
      invocableBy: definition.invocable_by ?? null,
    });
  }
}

function toRetryPolicy({ retry_backoff: declared, retry_on: retryOn }: JobDefinitionDto): RetryPolicy {
  const backoff =
    declared == null ? DEFAULT_BACKOFF : { ...declared, jitter: declared.jitter ?? DEFAULT_BACKOFF.jitter };
  return retryOn === undefined ? backoff : { ...backoff, statuses: retryOn.status };
}

function toConcurrency({ concurrency }: JobDefinitionDto): Concurrency | null {
  if (concurrency === undefined) return null;
  const { key, limit, when_full: whenFull = 'queue' } = concurrency;
  return { key, limit, when_full: whenFull };
}

/** A job of a manifest as far as it is well-formed; undefined when it is not an object. */
export type DeclaredJob = Partial<JobDefinitionDto> | undefined;

/**
 * Adds problems that go beyond the form of a manifest's fields: duplicate ids and unknown handlers.
 *
 * @param known the existing handlers, or null when they cannot be known in advance
 */
export function addManifestProblems(
  problems: FieldProblems,
  jobs: readonly DeclaredJob[],
  known: ReadonlySet<string> | null,
): void {
  const firstIndex = new Map<string, number>();
  const missing = known === null ? '' : unknownHandler(known);
  for (const [index, { id, handler } = {}] of jobs.entries()) {
    const first = id === undefined ? undefined : firstIndex.get(id);
    if (first !== undefined) problems.add(`jobs[${index}].id`, `is the id of jobs[${first}] already`);
    else if (id !== undefined) firstIndex.set(id, index);
    if (known !== null && handler !== undefined && !isEndpoint(handler) && !known.has(handler))
      problems.add(`jobs[${index}].handler`, missing);
  }
}

/** An endpoint needs a secret, and gets no token that could be bounded. */
function addHandlerProblems(
  problems: FieldProblems,
  index: number,
  { handler, signing_secret: secret, acts_as: actsAs, permissions }: Partial<JobDefinitionDto>,
  endpoints: EndpointClient,
): void {
  const path = `jobs[${index}]`;
  if (secret !== undefined && secretPathIn(secret) === null)
    problems.add(`${path}.signing_secret`, NO_REFERENCE);
  if (handler === undefined) return;
  if (!isEndpoint(handler)) {
    if (secret !== undefined)
      problems.add(
        `${path}.signing_secret`,
        "is for a handler that is a URL; calls of functions are signed with the tenant's own secret",
      );
    return;
  }
  const problem = endpoints.problemOf(handler);
  if (problem !== null) problems.add(`${path}.handler`, problem);
  if (secret === undefined && !problems.has(`${path}.signing_secret`))
    problems.add(
      `${path}.signing_secret`,
      'must be vault:<path>, the secret by which the endpoint knows that calls are yours',
    );
  if (actsAs === 'caller') problems.add(`${path}.acts_as`, NO_TOKEN);
  if (permissions !== undefined) problems.add(`${path}.permissions`, NO_TOKEN);
}

const NO_TOKEN = 'is for functions: an endpoint gets no token';

/** A run that acts as its caller needs one, and has nothing else to do with permissions. */
function addCallerProblems(problems: FieldProblems, index: number, job: Partial<JobDefinitionDto>): void {
  if (job.permissions !== undefined)
    problems.add(
      `jobs[${index}].permissions`,
      'is only for "acts_as": "service"; a run that acts as its caller may do what the caller may',
    );
  if ((job.triggers ?? []).length > 0)
    problems.add(
      `jobs[${index}].acts_as`,
      'must be "service" for a job with triggers: a schedule, webhook, row change or event holds no permissions',
    );
}

function unknownHandler(known: ReadonlySet<string>): string {
  if (known.size === 0) return 'is not a deployed function; none is deployed';
  const shown = [...known].sort().slice(0, 10);
  return `is not a deployed function; there are: ${shown.join(', ')}${known.size > shown.length ? ', …' : ''}`;
}
