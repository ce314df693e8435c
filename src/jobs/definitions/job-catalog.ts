import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import { decodeCursor, Page, pageOf, ServiceError } from '../../http/index.js';
import type { TenantId } from '../../http/index.js';
import { JOB_ID } from '../runs/model/run-id.js';
import { RunRepository } from '../runs/model/run.repository.js';
import { TriggerKinds } from '../triggers/index.js';
import type { Registrar } from './definitions.js';
import type { JobWithLastRun } from './dto/job.js';
import { JobRemoval } from './job-removal.js';
import { JobRepository } from './job.repository.js';
import type { JobRecord } from './job.repository.js';

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
    private readonly removal: JobRemoval,
    private readonly audit: AuditTrail,
  ) {}

  /** Lists jobs in the order of their ids. @throws validation_failed for a cursor of another list */
  async list(tenantId: TenantId, limit: number, cursor: string | undefined): Promise<Page<JobWithLastRun>> {
    const { reader } = this.database;
    const after = decodeCursor(cursor, POSITION_SHAPE)?.slice(POSITION.length) ?? null;
    const found = await this.jobs.list(reader, tenantId, limit + 1, after);
    const page = pageOf(found, limit, ({ id }) => `${POSITION}${id}`);
    return new Page(await this.withLastRuns(reader, tenantId, page.items), page.nextCursor);
  }

  /** @throws job_not_found */
  async find(tenantId: TenantId, id: string): Promise<JobWithLastRun> {
    return await this.read(this.database.reader, tenantId, id);
  }

  /** Pauses or resumes the job. Instants of its schedules during the pause are dropped. @throws job_not_found */
  async pause(tenantId: TenantId, id: string, paused: boolean, by: Registrar): Promise<JobWithLastRun> {
    return await this.database.serialTransaction(tenantId, by.actor, async (tx) => {
      await this.jobs.lockTenant(tx, tenantId);
      const { job } = await this.read(tx, tenantId, id);
      if (job.paused !== paused) {
        await this.jobs.pause(tx, tenantId, id, paused);
        const triggers = job.triggers.map((definition, position) => ({
          jobId: id,
          position,
          path: `triggers[${position}]`,
          definition,
        }));
        await this.triggerKinds.apply(tx, tenantId, [{ jobId: id, triggers }]);
        await this.record(tx, tenantId, id, paused ? 'job.paused' : 'job.resumed', by);
      }
      return await this.read(tx, tenantId, id);
    });
  }

  /** @throws job_not_found */
  async delete(tenantId: TenantId, id: string, by: Registrar): Promise<void> {
    await this.database.serialTransaction(tenantId, by.actor, async (tx) => {
      await this.jobs.lockTenant(tx, tenantId);
      if ((await this.jobs.find(tx, tenantId, id)) === null) throw new ServiceError('job_not_found');
      const cancelled = await this.removal.remove(tx, tenantId, [id], 'the job was deleted');
      await this.record(tx, tenantId, id, 'job.deleted', by, { cancelled_runs: cancelled });
    });
  }

  private async read(handle: Tx | Reader, tenantId: TenantId, id: string): Promise<JobWithLastRun> {
    const job = await this.jobs.find(handle, tenantId, id);
    if (job === null) throw new ServiceError('job_not_found');
    const [found] = await this.withLastRuns(handle, tenantId, [job]);
    return found ?? { job, lastRun: null };
  }

  private async withLastRuns(
    handle: Tx | Reader,
    tenantId: TenantId,
    jobs: readonly JobRecord[],
  ): Promise<JobWithLastRun[]> {
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
    by: Registrar,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const target = { type: 'job', id: jobId };
    await this.audit.append(tx, { ...by, action, target, orgId: tenantId, userId: null, details });
  }
}
