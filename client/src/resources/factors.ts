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

/** One proof that the user of a session is there. */
export type Reauthentication =
  | { readonly password: string }
  | { readonly code: string }
  | { readonly recovery_code: string }
  | { readonly credential: PasskeyCredential };

/** The caller's second factors. Changes need a proof of the last ten minutes: `reauthenticate`. */
export class Factors {
  constructor(
    private readonly api: Pick<OrganizationApi & ProjectApi, 'get' | 'post' | 'patch' | 'delete'>,
  ) {}

  /** All that are in force. */
  async list({ signal }: CallOptions = {}): Promise<Factor[]> {
    return await this.api.get('/auth/v1/factors', { signal });
  }

  /** Begins to add an authenticator application; `confirmTotp` puts it in force. */
  async addTotp(name: string, { signal }: CallOptions = {}): Promise<TotpEnrolment> {
    return await this.api.post('/auth/v1/factors/totp', { body: { name }, signal });
  }

  /** Answers the recovery codes with the first factor; every other session ends then. */
  async confirmTotp(id: string, code: string, { signal }: CallOptions = {}): Promise<ConfirmedFactor> {
    const parameters = { id };
    return await this.api.post('/auth/v1/factors/totp/{id}/confirm', { parameters, body: { code }, signal });
  }

  /** Makes a passkey in this browser and puts it in force; answers the recovery codes with the first factor. */
  async addPasskey(name: string, options: CallOptions = {}): Promise<AddedPasskey> {
    const credential = await createPasskey(await this.passkeyOptions(options), options.signal);
    return await this.finishPasskey(name, credential, options);
  }

  /** What `navigator.credentials.create` takes as `publicKey`, in JSON: the first half of `addPasskey`. */
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

  /** Ten new recovery codes; the old ones are void. */
  async renewRecoveryCodes({ signal }: CallOptions = {}): Promise<string[]> {
    return (await this.api.post('/auth/v1/factors/recovery-codes', { signal })).recovery_codes;
  }

  /** Proves the user again, for ten minutes of this session. */
  async reauthenticate(proof: Reauthentication, { signal }: CallOptions = {}): Promise<void> {
    const body = 'credential' in proof ? { credential: { ...proof.credential } } : { ...proof };
    await this.api.post('/auth/v1/reauthenticate', { body, signal });
  }

  /** The same by a passkey of this browser. */
  async reauthenticateWithPasskey(options: CallOptions = {}): Promise<void> {
    const credential = await usePasskey(await this.reauthenticationOptions(options), options.signal);
    await this.reauthenticate({ credential }, options);
  }

  /** What `navigator.credentials.get` takes as `publicKey`, in JSON: the first half of `reauthenticateWithPasskey`. */
  async reauthenticationOptions({ signal }: CallOptions = {}): Promise<PasskeyRequestOptions> {
    return await this.api.post('/auth/v1/reauthenticate/options', { signal });
  }
}
