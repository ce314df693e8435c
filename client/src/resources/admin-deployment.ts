import type { CallOptions } from '../http/call.js';
import type { Instance, TenantQueue } from '../shapes.js';
import type { SharedApi } from './apis.js';

/** The deployment at this moment. */
export class AdminDeployment {
  constructor(private readonly api: SharedApi) {}

  /** What waits and what is at work, by tenant, the longest wait first. */
  async queue({ limit, signal }: { limit?: number } & CallOptions = {}): Promise<TenantQueue[]> {
    return await this.api.get('/admin/v1/queue', { query: { limit }, as: 'operator', signal });
  }

  /** The processes of the deployment. */
  async instances({ signal }: CallOptions = {}): Promise<Instance[]> {
    return await this.api.get('/admin/v1/instances', { as: 'operator', signal });
  }
}
