import type { Answer, Client } from './client.js';
import { SoftwareAuthenticator } from './software-authenticator.js';
import type {
  CreationOptions,
  CredentialJson,
  Deviation,
  KeyAlgorithm,
  RequestOptions,
} from './software-authenticator.js';

export interface PasskeyAnswer {
  id: string;
  type: string;
  name: string;
  recovery_codes?: string[];
  error?: { code: string; hint?: string };
}

/** An active passkey, with its authenticator. */
export interface AddedPasskey {
  readonly id: string;
  readonly authenticator: SoftwareAuthenticator;
  readonly recoveryCodes: readonly string[];
}

export interface SignInOptions {
  challenge_token: string;
  passkey_options: RequestOptions;
  expires_at: string;
}

/** Fetches options and sends back the authenticator's response to them. */
export async function registerPasskey(
  client: Client,
  authenticator: SoftwareAuthenticator,
  deviation: Deviation = {},
): Promise<Answer<PasskeyAnswer>> {
  const options = await client.post<CreationOptions>('/auth/v1/factors/passkeys/options');
  if (options.status !== 200) throw new Error(`options answered ${JSON.stringify(options.body)}`);
  const credential = authenticator.create(options.body, deviation);
  return await client.post<PasskeyAnswer>('/auth/v1/factors/passkeys', { name: 'Laptop', credential });
}

/** Adds a passkey to the caller's account. */
export async function addPasskey(
  client: Client,
  origin: string,
  kind: { readonly algorithm?: KeyAlgorithm; readonly isSynced?: boolean; readonly counts?: boolean } = {},
): Promise<AddedPasskey> {
  const authenticator = new SoftwareAuthenticator(origin, kind);
  const { status, body } = await registerPasskey(client, authenticator);
  if (status !== 201) throw new Error(`adding a passkey answered ${JSON.stringify(body)}`);
  return { id: body.id, authenticator, recoveryCodes: body.recovery_codes ?? [] };
}

/** The request of a sign-in with only the passkey. */
export async function passkeyGrant(
  anonymous: Client,
  authenticator: SoftwareAuthenticator,
  deviation: Deviation = {},
): Promise<{ challenge_token: string; credential: CredentialJson }> {
  const { body } = await anonymous.post<SignInOptions>('/auth/v1/passkeys/options');
  return {
    challenge_token: body.challenge_token,
    credential: authenticator.get(body.passkey_options, deviation),
  };
}
