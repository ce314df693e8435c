import type { CallOptions } from '../http/call.js';
import type { Health as HealthReport, Probe } from '../shapes.js';
import type { SharedApi } from './apis.js';

/** The health of the service. */
export class Health {
  constructor(private readonly api: SharedApi) {}

  /** @throws ServiceError 503 if its database does not answer */
  async check({ signal }: CallOptions = {}): Promise<HealthReport> {
    return await this.api.get('/health', { signal, as: 'nobody' });
  }

  async live({ signal }: CallOptions = {}): Promise<Probe> {
    return await this.api.get('/health/live', { signal, as: 'nobody' });
  }

  async ready({ signal }: CallOptions = {}): Promise<Probe> {
    return await this.api.get('/health/ready', { signal, as: 'nobody' });
  }
}
