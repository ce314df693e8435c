import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CONFIG } from '../../../platform/config/index.js';
import type { Config } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import { Tenancy } from '../../../tenancy/index.js';
import type { TenantNames } from '../../../tenancy/index.js';
import { RunStatsRepository } from '../stats/run-stats.repository.js';
import type { Throughput } from '../stats/run-stats.repository.js';
import { QueueStateRepository } from './queue-state.repository.js';
import type { JobLoad, QueueLoad, TenantLoad } from './queue-state.repository.js';

/** The runs of a tenant that wait and run. */
export interface TenantQueue extends QueueLoad {
  readonly maxConcurrentRuns: number;
  /** Null without a limit. */
  readonly maxWaitingRuns: number | null;
  readonly jobs: readonly JobLoad[];
}

/** A tenant's part of the queue. `names` is null for a deleted tenant. */
export interface NamedTenantLoad extends TenantLoad {
  readonly names: TenantNames | null;
  readonly lastHour: Throughput;
}

const MAX_TENANTS = 1000;
const MAX_LISTS = 10;

/** The state of the queue, of one tenant or of the deployment. */
@Injectable()
export class QueueState {
  private readonly ofTenants: LRUCache<TenantId, TenantQueue>;
  /** By how many tenants are listed. */
  private readonly lists: LRUCache<number, NamedTenantLoad[]>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly states: QueueStateRepository,
    private readonly stats: RunStatsRepository,
    private readonly tenancy: Tenancy,
  ) {
    // A page that many people keep open costs no more than one; a backlog of 100,000 runs takes about 0.1 s to count.
    const ttl = config.timing.runs.queueStateMs;
    this.ofTenants = new LRUCache({
      max: MAX_TENANTS,
      ttl,
      fetchMethod: async (tenantId) => await this.read(tenantId),
    });
    this.lists = new LRUCache({
      max: MAX_LISTS,
      ttl,
      fetchMethod: async (limit) => await this.readList(limit),
    });
  }

  async ofTenant(tenantId: TenantId): Promise<TenantQueue> {
    return await this.ofTenants.forceFetch(tenantId);
  }

  /** The tenants with waiting or running runs, the longest wait first. */
  async list(limit: number): Promise<NamedTenantLoad[]> {
    return await this.lists.forceFetch(limit);
  }

  private async readList(limit: number): Promise<NamedTenantLoad[]> {
    const { reader } = this.database;
    const loads = await this.states.ofTenants(reader, limit);
    const lastHours = await this.stats.lastHour(
      reader,
      loads.map(({ tenantId }) => tenantId),
    );
    return await Promise.all(
      loads.map(async (load) => ({
        ...load,
        names: await this.tenancy.namesOf(load.tenantId),
        lastHour: lastHours.get(load.tenantId) ?? { accepted: 0, ended: 0 },
      })),
    );
  }

  private async read(tenantId: TenantId): Promise<TenantQueue> {
    const { reader } = this.database;
    const [jobs, running] = await Promise.all([
      this.states.ofJobs(reader, tenantId),
      this.states.runningOf(reader, tenantId),
    ]);
    const sum = (of: (job: JobLoad) => number): number => jobs.reduce((total, job) => total + of(job), 0);
    const waits = jobs.flatMap(({ oldestWaitMs }) => oldestWaitMs ?? []);
    const { waitingRuns } = this.config.limits;
    return {
      waiting: sum((job) => job.waiting),
      delayed: sum((job) => job.delayed),
      oldestWaitMs: waits.length === 0 ? null : Math.max(...waits),
      running,
      maxConcurrentRuns: this.config.jobs.maxOrgConcurrentRuns,
      maxWaitingRuns: waitingRuns === 0 ? null : waitingRuns,
      jobs,
    };
  }
}
