import type { CallOptions } from '../http/call.js';
import type { Setting } from '../shapes.js';
import type { SharedApi } from './apis.js';

/** The settings of the deployment, for its operator. */
export class AdminSettings {
  constructor(private readonly api: SharedApi) {}

  /** Those in force in the instance that answers, without secrets. */
  async list({ signal }: CallOptions = {}): Promise<Setting[]> {
    return await this.api.get('/admin/v1/settings', { as: 'operator', signal });
  }
}
