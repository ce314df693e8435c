import type { CallOptions } from '../http/call.js';
import type { Instance, Operator, SignInStatsPoint, TenantQueue } from '../shapes.js';
import { instant } from './apis.js';
import type { SharedApi } from './apis.js';

export interface SignInStatsFilter {
  /** From this instant on; by default 60 intervals before `until`. */
  readonly since?: Date | string | undefined;
  /** Before this instant; by default now. */
  readonly until?: Date | string | undefined;
  readonly interval?: '5m' | '1h' | '1d' | undefined;
}

/** The current state of the deployment. */
export class AdminDeployment {
  constructor(private readonly api: SharedApi) {}

  /** Waiting and running runs by tenant, the longest wait first. */
  async queue({ limit, signal }: { limit?: number } & CallOptions = {}): Promise<TenantQueue[]> {
    return await this.api.get('/admin/v1/queue', { query: { limit }, as: 'operator', signal });
  }

  /** The processes of the deployment. */
  async instances({ signal }: CallOptions = {}): Promise<Instance[]> {
    return await this.api.get('/admin/v1/instances', { as: 'operator', signal });
  }

  /** The accounts that operate it. */
  async operators({ signal }: CallOptions = {}): Promise<Operator[]> {
    return await this.api.get('/admin/v1/operators', { as: 'operator', signal });
  }

  /** How many people signed up, signed in and were refused, by interval. */
  async signIns({ since, until, interval, signal }: SignInStatsFilter & CallOptions = {}): Promise<
    SignInStatsPoint[]
  > {
    const query = { since: instant(since), until: instant(until), interval };
    return await this.api.get('/admin/v1/sign-ins/stats', { query, as: 'operator', signal });
  }
}
