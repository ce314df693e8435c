import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { AuditTrail } from '../../audit/index.js';
import type { AuditContext } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Inspected, TenantId } from '../../http/index.js';
import { TimeSlice } from '../../platform/lifecycle/index.js';
import { requireCovered } from '../../rbac/index.js';
import { Tenancy } from '../../tenancy/index.js';
import type { TenantEvent } from '../../tenancy/index.js';
import { isEndpoint } from '../invoker/index.js';
import { ALL_PERMISSIONS } from '../runs/model/run.js';
import { TriggerKinds } from '../triggers/index.js';
import type { DeclaredTrigger, StoredTrigger, TriggerDto } from '../triggers/index.js';
import type { JobChangeDto, JobDefinitionDto, ManifestDto } from './dto/manifest.js';
import { JobDrafts } from './job-drafts.js';
import type { JobEntity } from './job.entity.js';
import { JobStore } from './job-store.js';
import { JobRepository } from './job.repository.js';
import { pauseEvent } from './pause-event.js';
import { recordedChanges, withDetails } from './recorded-changes.js';
import type { DeclaredJob } from './job-drafts.js';

export interface RegistrationOptions {
  /** Whether to delete the jobs that the manifest does not name. */
  readonly prune: boolean;
  /** What whoever registers holds, and may let runs hold. */
  readonly held: readonly string[];
  /** Whether it is a run, which is bounded itself and makes no job that is not. */
  readonly isRun: boolean;
  /** Whether to return, or refuse, what the registration would, without changing anything. */
  readonly dryRun: boolean;
}

/** The job definitions of a tenant, registered one whole manifest at a time: all of it or nothing. */
@Injectable()
export class Definitions {
  constructor(
    private readonly tenancy: Tenancy,
    private readonly database: Database,
    private readonly jobs: JobRepository,
    private readonly drafts: JobDrafts,
    private readonly triggerKinds: TriggerKinds,
    private readonly store: JobStore,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Registers a manifest. Problems with the form of its fields are reported together with all other problems.
   * @throws validation_failed with every problem and its path; permission_not_held; limit_reached; and
   *   what a kind of trigger refuses
   */
  async register(
    tenantId: TenantId,
    { dto, problems }: Inspected<ManifestDto>,
    { prune, held, isRun, dryRun }: RegistrationOptions,
    by: AuditContext,
  ): Promise<JobChangeDto[]> {
    const declared: readonly DeclaredJob[] = dto?.jobs ?? [];
    await this.drafts.findProblems(declared, problems);
    const triggersByJob = declared.map(declaredTriggers);
    const triggers = triggersByJob.flat();
    const triggersOf = new Map(declared.map((job, index) => [job?.id, triggersByJob[index] ?? []]));
    const registration = async (tx: Tx): Promise<JobChangeDto[]> => {
      if (!(await this.jobs.lockTenant(tx, tenantId))) throw new ServiceError(this.tenancy.goneRefusal);
      await this.triggerKinds.findProblems(tx, tenantId, triggers, problems);
      problems.requireNone();
      const manifest = declared as readonly JobDefinitionDto[];
      const existing = new Map((await this.jobs.findAll(tx, tenantId)).map((job) => [job.id, job]));
      const slice = new TimeSlice();
      const wanted: JobEntity[] = [];
      for (const job of manifest) {
        await slice.yieldIfSpent();
        wanted.push(this.drafts.draft(tenantId, job, existing.get(job.id)));
      }
      const changes = await changesBetween(existing, wanted, prune, slice);
      const changed = changes.filter(({ change }) => change !== 'unchanged');
      const unchanged = new Set(changes.flatMap(({ id, change }) => (change === 'unchanged' ? [id] : [])));
      await this.triggerKinds.restore(
        tx,
        triggers.filter(({ jobId }) => unchanged.has(jobId)),
      );
      if (changed.length === 0) return changes;
      this.drafts.requireQuota(existing.size, changes);
      const kept = new Set(changed.map(({ id }) => id));
      const saved = wanted.filter(({ id }) => kept.has(id));
      for (const job of saved) {
        await slice.yieldIfSpent();
        requireCovered(held, grantedBy(job, isRun));
      }
      const deleted = changed.filter(({ change }) => change === 'deleted').map(({ id }) => id);
      // This frees what the deleted jobs had, such as the name of a webhook, for the other jobs.
      await this.store.remove(tx, tenantId, deleted, 'the job was deleted');
      const theirTriggers = saved.map(({ id }) => ({ jobId: id, triggers: triggersOf.get(id) ?? [] }));
      await this.store.save(tx, tenantId, saved, theirTriggers, existing);
      const event = {
        ...by,
        action: 'jobs.registered',
        target: { type: this.tenancy.auditTarget, id: tenantId },
        tenantId,
        userId: null,
        events: pausesOf(saved, existing),
      };
      const recorded = recordedChanges(changed, existing, new Map(saved.map((job) => [job.id, job])));
      for (const entry of withDetails(event, recorded)) await this.audit.append(tx, entry);
      return changes;
    };
    return dryRun
      ? await this.database.serialDryRun(tenantId, by.actor, registration)
      : await this.database.serialTransaction(tenantId, by.actor, registration);
  }
}

/** Triggers that hand to the handler what permissions protect. */
const TELLING: ReadonlySet<string> = new Set<StoredTrigger['type']>(['data', 'event']);

/** An endpoint gets what permissions protect outside of the deployment, signed in the name of the tenant. */
const SENDING = 'jobs:endpoints:write';

/**
 * What a registration lets the runs of a job hold that whoever registers must hold, too. A run, which may be bounded itself, makes
 * neither a job that is bounded by others alone nor one that hears of what the run may not read.
 */
function grantedBy({ handler, permissions, triggers }: JobEntity, byRun: boolean): readonly string[] {
  if (isEndpoint(handler)) return byRun ? ALL_PERMISSIONS : [SENDING];
  const isTold = triggers.some(({ type }) => TELLING.has(type));
  return byRun && (permissions === null || isTold) ? ALL_PERMISSIONS : (permissions ?? []);
}

/** For the jobs that the manifest pauses or resumes. */
function pausesOf(saved: readonly JobEntity[], existing: ReadonlyMap<string, JobEntity>): TenantEvent[] {
  return saved.flatMap(({ id, paused }) => {
    const before = existing.get(id);
    return before === undefined || before.paused === paused ? [] : [pauseEvent(id, paused)];
  });
}

/** Skips jobs that are not objects and triggers without a type; these are reported as problems already. */
function declaredTriggers(job: DeclaredJob, index: number): DeclaredTrigger[] {
  const triggers: readonly (TriggerDto | undefined)[] = job?.triggers ?? [];
  return triggers.flatMap((definition, position) =>
    definition?.type === undefined
      ? []
      : [{ jobId: job?.id ?? '', position, path: `jobs[${index}].triggers[${position}]`, definition }],
  );
}

/** Lists changes in the order of the manifest, followed by deleted jobs in the order of their ids. */
async function changesBetween(
  existing: ReadonlyMap<string, JobEntity>,
  wanted: readonly JobEntity[],
  prune: boolean,
  slice: TimeSlice,
): Promise<JobChangeDto[]> {
  const changes: JobChangeDto[] = [];
  for (const job of wanted) {
    await slice.yieldIfSpent();
    changes.push({ id: job.id, change: changeOf(existing.get(job.id), job) });
  }
  const named = new Set(wanted.map(({ id }) => id));
  const unnamed = prune ? [...existing.keys()].filter((id) => !named.has(id)) : [];
  return [...changes, ...unnamed.map((id) => ({ id, change: 'deleted' as const }))];
}

function changeOf(before: JobEntity | undefined, after: JobEntity): JobChangeDto['change'] {
  if (before === undefined) return 'created';
  return isDeepStrictEqual(before, after) ? 'unchanged' : 'updated';
}
