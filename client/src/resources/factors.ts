import type { CallOptions } from '../http/call.js';
import { createPasskey, usePasskey } from '../passkeys.js';
import type { PasskeyCredential } from '../passkeys.js';
import type {
  AddedPasskey,
  ConfirmedFactor,
  Factor,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  TotpEnrolment,
} from '../shapes.js';
import type { OrganizationApi, ProjectApi } from './apis.js';

/** One proof that the session's user is present. */
export type Reauthentication =
  | { readonly password: string }
  | { readonly code: string }
  | { readonly recovery_code: string }
  | { readonly credential: PasskeyCredential };

/** The caller's second factors. To change them, the user needs a proof from the last ten minutes: `reauthenticate`. */
export class Factors {
  constructor(
    private readonly api: Pick<OrganizationApi & ProjectApi, 'get' | 'post' | 'patch' | 'delete'>,
  ) {}

  /** All active factors. */
  async list({ signal }: CallOptions = {}): Promise<Factor[]> {
    return await this.api.get('/auth/v1/factors', { signal });
  }

  /** Begins to add an authenticator app. `confirmTotp` activates it. */
  async addTotp(name: string, { signal }: CallOptions = {}): Promise<TotpEnrolment> {
    return await this.api.post('/auth/v1/factors/totp', { body: { name }, signal });
  }

  /** Activates it. The first factor also returns the recovery codes, and ends all other sessions. */
  async confirmTotp(id: string, code: string, { signal }: CallOptions = {}): Promise<ConfirmedFactor> {
    const parameters = { id };
    return await this.api.post('/auth/v1/factors/totp/{id}/confirm', { parameters, body: { code }, signal });
  }

  /** Creates a passkey in this browser and activates it. The first factor also returns the recovery codes. */
  async addPasskey(name: string, options: CallOptions = {}): Promise<AddedPasskey> {
    const credential = await createPasskey(await this.passkeyOptions(options), options.signal);
    return await this.finishPasskey(name, credential, options);
  }

  /** The `publicKey` argument of `navigator.credentials.create`, as JSON: the first half of `addPasskey`. */
  async passkeyOptions({ signal }: CallOptions = {}): Promise<PasskeyCreationOptions> {
    return await this.api.post('/auth/v1/factors/passkeys/options', { signal });
  }

  /** The second half of `addPasskey`. */
  async finishPasskey(
    name: string,
    credential: PasskeyCredential,
    { signal }: CallOptions = {},
  ): Promise<AddedPasskey> {
    const body = { name, credential: { ...credential } };
    return await this.api.post('/auth/v1/factors/passkeys', { body, signal });
  }

  async rename(id: string, name: string, { signal }: CallOptions = {}): Promise<Factor> {
    return await this.api.patch('/auth/v1/factors/{id}', { parameters: { id }, body: { name }, signal });
  }

  async remove(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete('/auth/v1/factors/{id}', { parameters: { id }, signal });
  }

  /** Ten new recovery codes. The old ones become invalid. */
  async renewRecoveryCodes({ signal }: CallOptions = {}): Promise<string[]> {
    return (await this.api.post('/auth/v1/factors/recovery-codes', { signal })).recovery_codes;
  }

  /** Proves the user again, which counts for ten minutes of this session. */
  async reauthenticate(proof: Reauthentication, { signal }: CallOptions = {}): Promise<void> {
    const body = 'credential' in proof ? { credential: { ...proof.credential } } : { ...proof };
    await this.api.post('/auth/v1/reauthenticate', { body, signal });
  }

  /** The same with a passkey of this browser. */
  async reauthenticateWithPasskey(options: CallOptions = {}): Promise<void> {
    const credential = await usePasskey(await this.reauthenticationOptions(options), options.signal);
    await this.reauthenticate({ credential }, options);
  }

  /**
   * The `publicKey` argument of `navigator.credentials.get`, as JSON: the first half of `reauthenticateWithPasskey`.
   */
  async reauthenticationOptions({ signal }: CallOptions = {}): Promise<PasskeyRequestOptions> {
    return await this.api.post('/auth/v1/reauthenticate/options', { signal });
  }
}
