import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { AuditTrail } from '../../audit/index.js';
import type { Actor } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import type { Origin, TenantId } from '../../platform/http/index.js';
import { Tenancy } from '../../platform/tenancy/index.js';
import { TriggerKinds } from '../triggers/index.js';
import type { PlacedTrigger } from '../triggers/index.js';
import type { JobChangeDto, JobDefinitionDto } from './dto/manifest.js';
import { JobDrafts } from './job-drafts.js';
import type { JobEntity } from './job.entity.js';
import { JobRemoval } from './job-removal.js';
import { JobRepository } from './job.repository.js';

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

  /** @throws validation_failed with every problem and its path; what a kind of trigger refuses */
  async register(
    tenantId: TenantId,
    manifest: readonly JobDefinitionDto[],
    { prune, dryRun }: RegistrationOptions,
    by: Registrar,
  ): Promise<JobChangeDto[]> {
    const details = await this.drafts.problemsOf(manifest);
    const placed = manifest.map(placedTriggers);
    const triggers = placed.flat();
    const triggersOf = new Map(manifest.map(({ id }, index) => [id, placed[index] ?? []]));
    const registration = async (tx: Tx): Promise<JobChangeDto[]> => {
      if (!(await this.jobs.lockTenant(tx, tenantId))) throw new ServiceError(this.tenancy.goneRefusal);
      const problems = [...details, ...(await this.triggerKinds.problems(tx, tenantId, triggers))];
      if (problems.length > 0) throw new ServiceError('validation_failed', { details: problems });
      const existing = new Map((await this.jobs.findAll(tx, tenantId)).map((job) => [job.id, job]));
      const wanted = manifest.map((job) => this.drafts.draft(tenantId, job, existing.get(job.id)));
      const changes = changesBetween(existing, wanted, prune);
      const changed = changes.filter(({ change }) => change !== 'unchanged');
      if (changed.length === 0) return changes;
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
        details: { jobs: changed },
      });
      return changes;
    };
    return dryRun
      ? await this.database.rehearse(registration)
      : await this.database.transaction(registration);
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

/** In the order of the manifest, then the deleted ones in the order of their ids. */
function changesBetween(
  existing: ReadonlyMap<string, JobEntity>,
  wanted: readonly JobEntity[],
  prune: boolean,
): JobChangeDto[] {
  const named = new Set(wanted.map(({ id }) => id));
  const unnamed = prune ? [...existing.keys()].filter((id) => !named.has(id)) : [];
  return [
    ...wanted.map((job) => ({ id: job.id, change: changeOf(existing.get(job.id), job) })),
    ...unnamed.map((id) => ({ id, change: 'deleted' as const })),
  ];
}

function changeOf(before: JobEntity | undefined, after: JobEntity): JobChangeDto['change'] {
  if (before === undefined) return 'created';
  return isDeepStrictEqual(before, after) ? 'unchanged' : 'updated';
}
