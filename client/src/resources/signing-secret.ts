import type { CallOptions } from '../http/call.js';
import type { SigningSecret } from '../shapes.js';
import type { SharedApi } from './apis.js';

/** The secret with which handlers verify that a call comes from the service. */
export class SigningSecrets {
  constructor(private readonly api: SharedApi) {}

  async get({ signal }: CallOptions = {}): Promise<SigningSecret> {
    return await this.api.get('/jobs/v1/signing-secret', { signal });
  }

  /** For 24 h, calls are also signed with the old secret. */
  async rotate({ signal }: CallOptions = {}): Promise<SigningSecret> {
    return await this.api.post('/jobs/v1/signing-secret/rotate', { signal });
  }
}
