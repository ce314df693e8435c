import type { CallOptions } from '../http/call.js';
import type { SigningSecret } from '../shapes.js';
import type { SharedApi } from './apis.js';

/** The secret by which handlers verify that a call is the service's. */
export class SigningSecrets {
  constructor(private readonly api: SharedApi) {}

  async get({ signal }: CallOptions = {}): Promise<SigningSecret> {
    return await this.api.get('/jobs/v1/signing-secret', { signal });
  }

  /** For 24 h calls are signed by the old one too. */
  async rotate({ signal }: CallOptions = {}): Promise<SigningSecret> {
    return await this.api.post('/jobs/v1/signing-secret/rotate', { signal });
  }
}
