import { ServiceError } from '../../http/index.js';

/** What `navigator.credentials.create` returned, as JSON (WebAuthn Level 3, section 5.1, `RegistrationResponseJSON`). */
export interface CreatedCredential {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly attestationObject: string;
  readonly transports: readonly string[];
}

/** What `navigator.credentials.get` returned, as JSON (`AuthenticationResponseJSON`). */
export interface Assertion {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  /** Discoverable passkeys always have one. */
  readonly userHandle: string | null;
}

type Json = Readonly<Record<string, unknown>>;

/** Characters of base64url, far above what authenticators make, and enough for a credential id of 1,023 bytes. */
const MAX_CHARACTERS = {
  id: 1_364,
  clientDataJSON: 4_096,
  attestationObject: 16_384,
  authenticatorData: 4_096,
  signature: 4_096,
  userHandle: 88,
} as const;

const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** As WebAuthn has them, and others that may come. */
const TRANSPORT = /^[a-z-]{1,32}$/;
const MAX_TRANSPORTS = 8;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusal(path: string, message: string): ServiceError {
  return new ServiceError('validation_failed', { details: [{ path: `credential${path}`, message }] });
}

/** A field in canonical base64url without padding: no two texts stand for the same bytes. */
function bytesIn(holder: Json, name: keyof typeof MAX_CHARACTERS, path: string): string {
  const value = holder[name];
  const isText = typeof value === 'string' && value.length <= MAX_CHARACTERS[name] && BASE64URL.test(value);
  if (!isText || Buffer.from(value, 'base64url').toString('base64url') !== value)
    throw refusal(path, `must be base64url of at most ${MAX_CHARACTERS[name]} characters, without padding`);
  return value;
}

function responseOf(credential: Json): { id: string; response: Json } {
  const id = bytesIn(credential, 'id', '.id');
  // Both are the id of the credential (WebAuthn Level 3, section 5.1): where they differ, one was made up.
  if (credential.rawId !== undefined && credential.rawId !== id)
    throw refusal('.rawId', 'must equal credential.id');
  if (credential.type !== 'public-key') throw refusal('.type', 'must be public-key');
  if (!isObject(credential.response)) throw refusal('.response', 'must be a JSON object');
  return { id, response: credential.response };
}

/** @throws validation_failed */
export function createdCredentialOf(credential: Json): CreatedCredential {
  const { id, response } = responseOf(credential);
  const transports: unknown[] = Array.isArray(response.transports) ? response.transports : [];
  const known = transports.filter(
    (transport): transport is string => typeof transport === 'string' && TRANSPORT.test(transport),
  );
  return {
    id,
    clientDataJSON: bytesIn(response, 'clientDataJSON', '.response.clientDataJSON'),
    attestationObject: bytesIn(response, 'attestationObject', '.response.attestationObject'),
    transports: [...new Set(known)].slice(0, MAX_TRANSPORTS),
  };
}

/** @throws validation_failed */
export function assertionOf(credential: Json): Assertion {
  const { id, response } = responseOf(credential);
  // Some clients write an empty one where there is none.
  const hasHandle = ![undefined, null, ''].includes(response.userHandle as string | null | undefined);
  return {
    id,
    clientDataJSON: bytesIn(response, 'clientDataJSON', '.response.clientDataJSON'),
    authenticatorData: bytesIn(response, 'authenticatorData', '.response.authenticatorData'),
    signature: bytesIn(response, 'signature', '.response.signature'),
    userHandle: hasHandle ? bytesIn(response, 'userHandle', '.response.userHandle') : null,
  };
}
