import { Inject, Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { AuditTrail, SYSTEM } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { PeriodicService } from '../../platform/lifecycle/index.js';
import type { TenantId } from '../../http/index.js';
import { JobRepository, JobStore } from '../definitions/index.js';
import { EndpointRepository } from './endpoint.repository.js';

/** Pauses endpoints that have only failed for a week: nobody is there any more, and each event would be sent many times. */
@Injectable()
export class FailingEndpoints extends PeriodicService {
  private readonly logger = new Logger(FailingEndpoints.name);
  private readonly days: number;

  constructor(
    @Inject(CONFIG) { timing }: Config,
    private readonly database: Database,
    private readonly endpoints: EndpointRepository,
    private readonly jobs: JobRepository,
    private readonly store: JobStore,
    private readonly audit: AuditTrail,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'failing endpoints', timing.runs.endpointsMs);
    this.days = timing.lives.failingEndpointDays;
  }

  async runOnce(): Promise<void> {
    for (const tenantId of await this.endpoints.tenantsWithFailing(this.database.reader, this.days)) {
      const paused = await this.pauseFailing(tenantId);
      if (paused.length > 0)
        this.logger.warn(
          `paused endpoints of ${tenantId} that have failed for ${this.days} days: ${paused.join(', ')}`,
        );
    }
  }

  /** @returns the ids of the jobs */
  private async pauseFailing(tenantId: TenantId): Promise<string[]> {
    return await this.database.serialTransaction(tenantId, SYSTEM, async (tx) => {
      if (!(await this.jobs.lockTenant(tx, tenantId))) return [];
      // Again, under the lock: somebody may have resumed or changed one.
      const failing = await this.endpoints.failing(tx, tenantId, this.days);
      for (const id of failing) {
        const job = await this.jobs.find(tx, tenantId, id);
        if (job === null) continue;
        await this.store.pause(tx, tenantId, [job], true);
        await this.audit.append(tx, {
          actor: SYSTEM,
          origin: null,
          action: 'job.paused',
          target: { type: 'job', id },
          tenantId,
          userId: null,
          details: { failed_for_days: this.days },
        });
      }
      return failing;
    });
  }
}
