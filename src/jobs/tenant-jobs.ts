import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { Tx } from '../platform/database/index.js';
import type { TenantId } from '../platform/http/index.js';
import { Tenancy, TenantDeletion } from '../platform/tenancy/index.js';
import { JobRemoval, JobRepository } from './definitions/index.js';

/** What becomes of a tenant's jobs when it is deleted. */
@Injectable()
export class TenantJobs implements OnModuleInit {
  constructor(
    private readonly deletion: TenantDeletion,
    private readonly jobs: JobRepository,
    private readonly removal: JobRemoval,
    private readonly tenancy: Tenancy,
  ) {}

  onModuleInit(): void {
    this.deletion.follow((tx, tenantId) => this.removeAll(tx, tenantId));
  }

  /**
   * Removes the tenant's jobs and cancels the runs that wait; the running ones end. The history, which
   * nobody can read any more, goes with the next pass of the retention.
   */
  private async removeAll(tx: Tx, tenantId: TenantId): Promise<void> {
    await this.jobs.lockTenant(tx, tenantId);
    await this.removal.removeAll(tx, tenantId, `the ${this.tenancy.noun} was deleted`);
    await this.jobs.markTenantRemoved(tx, tenantId);
  }
}
