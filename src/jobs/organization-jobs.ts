import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { Tx } from '../platform/database/index.js';
import type { TenantId } from '../platform/http/index.js';
import { TenantDeletion } from '../platform/tenancy/index.js';
import { JobRemoval, JobRepository } from './definitions/index.js';

/** What becomes of an organization's jobs when it is deleted. */
@Injectable()
export class OrganizationJobs implements OnModuleInit {
  constructor(
    private readonly deletion: TenantDeletion,
    private readonly jobs: JobRepository,
    private readonly removal: JobRemoval,
  ) {}

  onModuleInit(): void {
    this.deletion.follow((tx, organizationId) => this.removeAll(tx, organizationId));
  }

  /**
   * Removes the organization's jobs and cancels the runs that wait; the running ones end. The history, which
   * nobody can read any more, goes with the next pass of the retention.
   */
  private async removeAll(tx: Tx, organizationId: TenantId): Promise<void> {
    await this.jobs.lockTenant(tx, organizationId);
    await this.removal.removeAll(tx, organizationId, 'the organization was deleted');
    await this.jobs.markTenantRemoved(tx, organizationId);
  }
}
