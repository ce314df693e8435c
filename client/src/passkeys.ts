import { ServiceError } from './service-error.js';
import type { PasskeyCreationOptions, PasskeyRequestOptions } from './shapes.js';

/** The result of `navigator.credentials`, as JSON (WebAuthn Level 3, section 5.1). */
export interface PasskeyCredential {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly response: Readonly<Record<string, unknown>>;
  readonly clientExtensionResults: Readonly<Record<string, unknown>>;
}

interface BrowserCredential<Response> {
  readonly id: string;
  readonly rawId: ArrayBuffer;
  readonly type: string;
  readonly response: Response;
}

interface Attestation {
  readonly clientDataJSON: ArrayBuffer;
  readonly attestationObject: ArrayBuffer;
  getTransports(): string[];
}

interface AssertionResponse {
  readonly clientDataJSON: ArrayBuffer;
  readonly authenticatorData: ArrayBuffer;
  readonly signature: ArrayBuffer;
  readonly userHandle: ArrayBuffer | null;
}

/** The part of `navigator.credentials` for passkeys. Not every environment has the types of browsers. */
interface Container {
  create(options: object): Promise<BrowserCredential<Attestation> | null>;
  get(options: object): Promise<BrowserCredential<AssertionResponse> | null>;
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function toBase64url(buffer: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

interface Described {
  readonly id: string;
}

function descriptorsOf<Descriptor extends Described>(
  descriptors: readonly Descriptor[],
): (Omit<Descriptor, 'id'> & { id: Uint8Array<ArrayBuffer> })[] {
  return descriptors.map((descriptor) => ({ ...descriptor, id: fromBase64url(descriptor.id) }));
}

/**
 * Creates a passkey in this browser. @throws ServiceError `passkeys_not_supported`, `passkey_taken`,
 * `passkey_cancelled`
 */
export async function createPasskey(
  options: PasskeyCreationOptions,
  signal?: AbortSignal,
): Promise<PasskeyCredential> {
  const publicKey = {
    ...options,
    challenge: fromBase64url(options.challenge),
    user: { ...options.user, id: fromBase64url(options.user.id) },
    excludeCredentials: descriptorsOf(options.excludeCredentials),
  };
  const credential = await asked(signal, (container) => container.create({ publicKey, ...given(signal) }));
  const { response } = credential;
  return jsonOf(credential, {
    clientDataJSON: toBase64url(response.clientDataJSON),
    attestationObject: toBase64url(response.attestationObject),
    transports: response.getTransports(),
  });
}

/** Uses a passkey in this browser. @throws ServiceError `passkeys_not_supported`, `passkey_cancelled` */
export async function usePasskey(
  options: PasskeyRequestOptions,
  signal?: AbortSignal,
): Promise<PasskeyCredential> {
  const { allowCredentials: allowed, ...others } = options;
  const publicKey = {
    ...others,
    challenge: fromBase64url(options.challenge),
    // Some browsers read an empty list as one that allows nothing.
    ...(allowed.length === 0 ? {} : { allowCredentials: descriptorsOf(allowed) }),
  };
  const credential = await asked(signal, (container) => container.get({ publicKey, ...given(signal) }));
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
  return jsonOf(credential, {
    clientDataJSON: toBase64url(clientDataJSON),
    authenticatorData: toBase64url(authenticatorData),
    signature: toBase64url(signature),
    ...(userHandle === null ? {} : { userHandle: toBase64url(userHandle) }),
  });
}

function jsonOf(
  credential: BrowserCredential<unknown>,
  response: Readonly<Record<string, unknown>>,
): PasskeyCredential {
  const { id, type } = credential;
  return { id, rawId: toBase64url(credential.rawId), type, response, clientExtensionResults: {} };
}

function given(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

async function asked<Response>(
  signal: AbortSignal | undefined,
  ask: (container: Container) => Promise<BrowserCredential<Response> | null>,
): Promise<BrowserCredential<Response>> {
  // Missing outside of browsers, and in pages that were not loaded over https:// or from localhost.
  const { navigator } = globalThis as unknown as { navigator?: { credentials?: Container } };
  if (navigator?.credentials === undefined)
    throw failure('passkeys_not_supported', 'This browser or page has no passkeys.');
  try {
    const credential = await ask(navigator.credentials);
    if (credential !== null) return credential;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    const isTaken = error instanceof Error && error.name === 'InvalidStateError';
    if (isTaken) throw failure('passkey_taken', 'This device has a passkey of the account already.', error);
    throw failure('passkey_cancelled', 'The browser gave no passkey.', error);
  }
  throw failure('passkey_cancelled', 'The browser gave no passkey.');
}

function failure(
  code: 'passkeys_not_supported' | 'passkey_cancelled' | 'passkey_taken',
  message: string,
  cause?: unknown,
): ServiceError {
  return new ServiceError({ code, message, status: 0, cause });
}
