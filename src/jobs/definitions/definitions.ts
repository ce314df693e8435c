import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { AuditTrail } from '../../audit/index.js';
import type { Actor } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import type { Inspected, Origin, TenantId } from '../../platform/http/index.js';
import { TimeSlice } from '../../platform/lifecycle/index.js';
import { Tenancy } from '../../platform/tenancy/index.js';
import { TriggerKinds } from '../triggers/index.js';
import type { PlacedTrigger, TriggerDto } from '../triggers/index.js';
import type { JobChangeDto, JobDefinitionDto, ManifestDto } from './dto/manifest.js';
import { JobDrafts } from './job-drafts.js';
import type { JobEntity } from './job.entity.js';
import { JobRemoval } from './job-removal.js';
import { JobRepository } from './job.repository.js';
import type { DeclaredJob } from './manifest-problems.js';

/** Jobs that an audit entry names one by one. */
const MAX_RECORDED = 100;

/** Who registers, and from where; a bundle comes from nowhere but the deployment. */
export interface Registrar {
  readonly actor: Actor;
  readonly origin: Origin | null;
}

export interface RegistrationOptions {
  /** Jobs that the manifest does not name are deleted. */
  readonly prune: boolean;
  /** Answers, or refuses, as the registration would, and changes nothing. */
  readonly dryRun: boolean;
}

/** The jobs of a tenant, registered by whole manifests: all of one, or nothing. */
@Injectable()
export class Definitions {
  constructor(
    private readonly tenancy: Tenancy,
    private readonly database: Database,
    private readonly jobs: JobRepository,
    private readonly drafts: JobDrafts,
    private readonly triggerKinds: TriggerKinds,
    private readonly removal: JobRemoval,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Registers a manifest as it was read: what is wrong with the form of its fields is told together with all else.
   * @throws validation_failed with every problem and its path; limit_reached; what a kind of trigger refuses
   */
  async register(
    tenantId: TenantId,
    { dto, problems }: Inspected<ManifestDto>,
    { prune, dryRun }: RegistrationOptions,
    by: Registrar,
  ): Promise<JobChangeDto[]> {
    const declared: readonly DeclaredJob[] = dto?.jobs ?? [];
    await this.drafts.findProblems(declared, problems);
    const placed = declared.map(placedTriggers);
    const triggers = placed.flat();
    const triggersOf = new Map(declared.map((job, index) => [job?.id, placed[index] ?? []]));
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
      if (changed.length === 0) return changes;
      this.drafts.requireQuota(existing.size, changes);
      const deleted = changed.filter(({ change }) => change === 'deleted').map(({ id }) => id);
      // What the deleted ones had, such as the name of a webhook, is then free for the others.
      await this.removal.remove(tx, tenantId, deleted, 'the job was deleted');
      const kept = new Set(changed.map(({ id }) => id));
      const saved = wanted.filter(({ id }) => kept.has(id));
      await this.jobs.save(tx, tenantId, saved);
      await this.triggerKinds.apply(
        tx,
        tenantId,
        saved.map(({ id }) => ({ jobId: id, triggers: triggersOf.get(id) ?? [] })),
      );
      await this.audit.append(tx, {
        ...by,
        action: 'jobs.registered',
        target: { type: this.tenancy.auditTarget, id: tenantId },
        orgId: tenantId,
        userId: null,
        details: recorded(changed),
      });
      return changes;
    };
    return dryRun
      ? await this.database.serialDryRun(tenantId, by.actor, registration)
      : await this.database.serialTransaction(tenantId, by.actor, registration);
  }
}

/** What is no object, and what does not say what it is, has a problem already. */
function placedTriggers(job: DeclaredJob, index: number): PlacedTrigger[] {
  const triggers: readonly (TriggerDto | undefined)[] = job?.triggers ?? [];
  return triggers.flatMap((definition, position) =>
    definition?.type === undefined
      ? []
      : [{ jobId: job?.id ?? '', position, path: `jobs[${index}].triggers[${position}]`, definition }],
  );
}

/** What an audit entry says of a registration: an entry is read with a hundred others. */
function recorded(changed: readonly JobChangeDto[]): Readonly<Record<string, unknown>> {
  const jobs = changed.slice(0, MAX_RECORDED);
  return jobs.length === changed.length ? { jobs } : { jobs, more: changed.length - jobs.length };
}

/** In the order of the manifest, then the deleted ones in the order of their ids. */
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
