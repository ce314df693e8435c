import { Inject, Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import type { LimitFunction } from 'p-limit';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { SerialByKey } from '../platform/database/index.js';
import { ConcurrencyLimit } from './concurrency-limit.js';

/** Searches that wait or run at an instance. */
const MAX_SEARCHES = 100;
/** Connections for all searches together, where the pool has four times as many. */
const CONNECTIONS = 2;

/** Who searches where. */
export interface Searcher {
  /** The id of the tenant whose rows are examined. */
  readonly tenant: string;
  readonly caller: string;
}

/**
 * Limits searches that examine rows which no index selects. They get a few of the database's connections, so that the
 * other requests keep theirs, and tenants have one of these in turn.
 */
@Injectable()
export class Searches {
  private readonly concurrency: ConcurrencyLimit;
  private readonly turns = new SerialByKey();
  private readonly connections: LimitFunction;

  constructor(@Inject(CONFIG) { limits, database }: Pick<Config, 'limits' | 'database'>) {
    this.concurrency = new ConcurrencyLimit({
      setting: 'searches',
      perTenant: limits.searches,
      perInstance: MAX_SEARCHES,
    });
    this.connections = pLimit(Math.max(1, Math.min(CONNECTIONS, Math.floor(database.poolSize / 4))));
  }

  /**
   * Runs a search as one of those that its tenant and its caller may have under way.
   * @param search passes each statement, or transaction, to `step`, which waits for a connection
   * @throws rate_limited, overloaded
   */
  async run<Result>(
    { tenant, caller }: Searcher,
    search: (step: SearchStep) => Promise<Result>,
  ): Promise<Result> {
    const permit = this.concurrency.acquire(tenant, caller);
    try {
      // One step of a tenant waits among those of the others, so that the queue of connections takes tenants in turn.
      return await search((work) => this.turns.run(tenant, () => this.connections(work)));
    } finally {
      permit.release();
    }
  }
}

export type SearchStep = <Result>(work: () => Promise<Result>) => Promise<Result>;
