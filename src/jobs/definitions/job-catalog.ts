import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import type { AuditContext } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import { decodeCursor, Page, pageOf, ServiceError } from '../../http/index.js';
import type { TenantId } from '../../http/index.js';
import { JOB_ID } from '../runs/model/run-id.js';
import { RunRepository } from '../runs/model/run.repository.js';
import { Tenancy } from '../../tenancy/index.js';
import { TriggerKinds } from '../triggers/index.js';
import type { JobWithLastRun } from './dto/job.js';
import type { JobChangeDto } from './dto/manifest.js';
import { JobStore, triggersOf } from './job-store.js';
import { pauseEvent } from './pause-event.js';
import { JobRepository } from './job.repository.js';
import type { JobRecord } from './job.repository.js';
import { recordedJobs, withDetails } from './recorded-changes.js';

/** An id of a job may look like a position in another list; the colon, which no id has, tells them apart. */
const POSITION = 'job:';
const POSITION_SHAPE = new RegExp(`^${POSITION}${JOB_ID.source.slice(1)}`);

/** Reads, pauses and deletes the registered jobs of a tenant. */
@Injectable()
export class JobCatalog {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobRepository,
    private readonly runs: RunRepository,
    private readonly triggerKinds: TriggerKinds,
    private readonly store: JobStore,
    private readonly audit: AuditTrail,
    private readonly tenancy: Tenancy,
  ) {}

  /** Lists jobs in the order of their ids. @throws validation_failed for a cursor of another list */
  async list(tenantId: TenantId, limit: number, cursor: string | undefined): Promise<Page<JobWithLastRun>> {
    const { reader } = this.database;
    const after = decodeCursor(cursor, POSITION_SHAPE)?.slice(POSITION.length) ?? null;
    const found = await this.jobs.list(reader, tenantId, limit + 1, after);
    const page = pageOf(found, limit, ({ id }) => `${POSITION}${id}`);
    const lastRuns = await this.withLastRuns(reader, tenantId, page.items);
    return new Page(await this.withProblems(reader, lastRuns), page.nextCursor);
  }

  /** @throws job_not_found */
  async find(tenantId: TenantId, id: string): Promise<JobWithLastRun> {
    return await this.read(this.database.reader, tenantId, id);
  }

  /** Pauses or resumes the job. Instants of its schedules during the pause are dropped. @throws job_not_found */
  async pause(tenantId: TenantId, id: string, paused: boolean, by: AuditContext): Promise<JobWithLastRun> {
    return await this.database.serialTransaction(tenantId, by.actor, async (tx) => {
      await this.jobs.lockTenant(tx, tenantId);
      const { job } = await this.read(tx, tenantId, id);
      if (job.paused !== paused) {
        await this.store.pause(tx, tenantId, [job], paused);
        await this.record(tx, tenantId, id, paused ? 'job.paused' : 'job.resumed', by);
      }
      return await this.read(tx, tenantId, id);
    });
  }

  /**
   * Pauses or resumes several jobs in one transaction, with one audit entry unless many jobs change.
   *
   * @param ids null for all jobs of the tenant
   * @returns what changed, in the order of the ids; @throws job_not_found for all that do not exist, and changes nothing
   */
  async pauseAll(
    tenantId: TenantId,
    ids: readonly string[] | null,
    paused: boolean,
    by: AuditContext,
  ): Promise<JobChangeDto[]> {
    return await this.database.serialTransaction(tenantId, by.actor, async (tx) => {
      await this.jobs.lockTenant(tx, tenantId);
      const existing = await this.jobs.findAll(tx, tenantId);
      const known = new Set(existing.map(({ id }) => id));
      const details = (ids ?? []).flatMap((id, index) =>
        known.has(id) ? [] : [{ path: `ids[${index}]`, message: 'is not a job' }],
      );
      if (details.length > 0) throw new ServiceError('job_not_found', { details });
      const named = ids === null ? known : new Set(ids);
      const wanted = existing.filter(({ id }) => named.has(id));
      const changed = wanted.filter((job) => job.paused !== paused);
      if (changed.length > 0) {
        await this.store.pause(tx, tenantId, changed, paused);
        const event = {
          ...by,
          action: paused ? 'jobs.paused' : 'jobs.resumed',
          target: { type: this.tenancy.auditTarget, id: tenantId },
          tenantId,
          userId: null,
          events: changed.map(({ id }) => pauseEvent(id, paused)),
        };
        for (const entry of withDetails(event, recordedJobs(changed.map(({ id }) => id))))
          await this.audit.append(tx, entry);
      }
      return wanted.map((job) => ({ id: job.id, change: job.paused === paused ? 'unchanged' : 'updated' }));
    });
  }

  /** @throws job_not_found */
  async delete(tenantId: TenantId, id: string, by: AuditContext): Promise<void> {
    await this.database.serialTransaction(tenantId, by.actor, async (tx) => {
      await this.jobs.lockTenant(tx, tenantId);
      if ((await this.jobs.find(tx, tenantId, id)) === null) throw new ServiceError('job_not_found');
      const cancelled = await this.store.remove(tx, tenantId, [id], 'the job was deleted');
      await this.record(tx, tenantId, id, 'job.deleted', by, { cancelled_runs: cancelled });
    });
  }

  private async read(handle: Tx | Reader, tenantId: TenantId, id: string): Promise<JobWithLastRun> {
    const job = await this.jobs.find(handle, tenantId, id);
    if (job === null) throw new ServiceError('job_not_found');
    const found = await this.withProblems(handle, await this.withLastRuns(handle, tenantId, [job]));
    return found[0] ?? { job, lastRun: null, problems: [] };
  }

  /** What the triggers of all of them no longer find, looked up together. */
  private async withProblems(
    handle: Tx | Reader,
    found: readonly Omit<JobWithLastRun, 'problems'>[],
  ): Promise<JobWithLastRun[]> {
    const triggers = found.flatMap(({ job }) => triggersOf(job).triggers);
    const faults = await this.triggerKinds.findFaults(handle, triggers);
    return found.map((one) => ({
      ...one,
      problems: faults.flatMap(({ jobId, ...problem }) => (jobId === one.job.id ? [problem] : [])),
    }));
  }

  private async withLastRuns(
    handle: Tx | Reader,
    tenantId: TenantId,
    jobs: readonly JobRecord[],
  ): Promise<Omit<JobWithLastRun, 'problems'>[]> {
    if (jobs.length === 0) return [];
    const newest = await this.runs.listNewest(
      handle,
      tenantId,
      jobs.map(({ id }) => id),
    );
    const byJob = new Map(newest.map((run) => [run.jobId, run]));
    return jobs.map((job) => ({ job, lastRun: byJob.get(job.id) ?? null }));
  }

  private async record(
    tx: Tx,
    tenantId: TenantId,
    jobId: string,
    action: string,
    by: AuditContext,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const target = { type: 'job', id: jobId };
    await this.audit.append(tx, { ...by, action, target, tenantId, userId: null, details });
  }
}
