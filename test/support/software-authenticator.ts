import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';

/** Flags of authenticator data (WebAuthn Level 3, section 6.1). */
const FLAGS = {
  present: 0x01,
  verified: 0x04,
  backupEligible: 0x08,
  backedUp: 0x10,
  attested: 0x40,
} as const;
const NO_AAGUID = Buffer.alloc(16);

export type KeyAlgorithm = 'ES256' | 'EdDSA' | 'RS256';

export interface CreationOptions {
  rp: { id: string };
  user: { id: string };
  challenge: string;
}

export interface RequestOptions {
  rpId: string;
  challenge: string;
  allowCredentials: { id: string }[];
}

/** How a ceremony deviates from what the options ask for. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  readonly isVerified?: boolean;
  readonly isPresent?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | null;
  readonly signedBy?: KeyObject;
  readonly attestation?: { readonly format: string; readonly statement: Buffer };
}

export interface CredentialJson extends Record<string, unknown> {
  id: string;
  type: string;
  response: Record<string, unknown>;
}

/** The subset of CBOR (RFC 8949) that attestation objects and COSE keys use. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 0x100) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}

const cbor = {
  integer: (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value)),
  bytes: (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]),
  text: (value: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]),
  map: (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
    Buffer.concat([head(5, entries.length), ...entries.flat()]),
};

export const EMPTY_MAP = cbor.map([]);

function base64url(value: Buffer | string): string {
  return Buffer.from(value).toString('base64url');
}

function sha256(value: Buffer | string): Buffer {
  return createHash('sha256').update(value).digest();
}

/** A key pair, and its public half in COSE (RFC 9052). */
function newKey(algorithm: KeyAlgorithm): { privateKey: KeyObject; cose: Buffer } {
  const { privateKey, publicKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : algorithm === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = publicKey.export({ format: 'jwk' });
  return { privateKey, cose: cbor.map(COSE[algorithm](jwk)) };
}

const part = (jwk: JsonWebKey, name: 'x' | 'y' | 'n' | 'e'): Buffer =>
  cbor.bytes(Buffer.from(jwk[name] ?? '', 'base64url'));
const entry = (label: number, value: Buffer | number): [Buffer, Buffer] => [
  cbor.integer(label),
  typeof value === 'number' ? cbor.integer(value) : value,
];

const COSE: Readonly<Record<KeyAlgorithm, (jwk: JsonWebKey) => [Buffer, Buffer][]>> = {
  ES256: (jwk) => [
    entry(1, 2),
    entry(3, -7),
    entry(-1, 1),
    entry(-2, part(jwk, 'x')),
    entry(-3, part(jwk, 'y')),
  ],
  EdDSA: (jwk) => [entry(1, 1), entry(3, -8), entry(-1, 6), entry(-2, part(jwk, 'x'))],
  RS256: (jwk) => [entry(1, 3), entry(3, -257), entry(-1, part(jwk, 'n')), entry(-2, part(jwk, 'e'))],
};

/** An authenticator with one passkey. It behaves as WebAuthn Level 3 requires, unless told to deviate. */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32);
  counter = 0;
  private readonly key: { privateKey: KeyObject; cose: Buffer };
  private userHandle = base64url(randomBytes(16));

  constructor(
    private readonly origin: string,
    private readonly options: {
      readonly algorithm?: KeyAlgorithm;
      readonly isSynced?: boolean;
      readonly counts?: boolean;
    } = {},
  ) {
    this.key = newKey(options.algorithm ?? 'ES256');
  }

  /** Like `navigator.credentials.create`, followed by `toJSON`. */
  create({ rp, user, challenge }: CreationOptions, deviation: Deviation = {}): CredentialJson {
    this.userHandle = user.id;
    const { format, statement } = deviation.attestation ?? { format: 'none', statement: EMPTY_MAP };
    const idLength = Buffer.from([this.credentialId.length >> 8, this.credentialId.length & 0xff]);
    const attested = Buffer.concat([NO_AAGUID, idLength, this.credentialId, this.key.cose]);
    const authData = this.authenticatorData(rp.id, deviation, attested);
    return this.credential({
      clientDataJSON: base64url(this.clientData('webauthn.create', challenge, deviation)),
      attestationObject: base64url(
        cbor.map([
          [cbor.text('fmt'), cbor.text(format)],
          [cbor.text('attStmt'), statement],
          [cbor.text('authData'), cbor.bytes(authData)],
        ]),
      ),
      transports: ['internal'],
    });
  }

  /** Like `navigator.credentials.get`. */
  get({ rpId, challenge }: RequestOptions, deviation: Deviation = {}): CredentialJson {
    if (this.options.counts ?? true) this.counter += 1;
    const clientData = this.clientData('webauthn.get', challenge, deviation);
    const authData = this.authenticatorData(rpId, deviation);
    const signed = Buffer.concat([authData, sha256(clientData)]);
    const digest = this.options.algorithm === 'EdDSA' ? null : 'sha256';
    const userHandle = deviation.userHandle === undefined ? this.userHandle : deviation.userHandle;
    return this.credential({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authData),
      signature: base64url(sign(digest, signed, deviation.signedBy ?? this.key.privateKey)),
      ...(userHandle === null ? {} : { userHandle }),
    });
  }

  private credential(response: Record<string, unknown>): CredentialJson {
    const id = base64url(this.credentialId);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private clientData(type: string, challenge: string, deviation: Deviation): string {
    return JSON.stringify({
      type: deviation.type ?? type,
      challenge: deviation.challenge ?? challenge,
      origin: deviation.origin ?? this.origin,
      crossOrigin: deviation.crossOrigin ?? false,
    });
  }

  private authenticatorData(rpId: string, deviation: Deviation, attested: Buffer = Buffer.alloc(0)): Buffer {
    const { isPresent = true, isVerified = true } = deviation;
    const flags =
      (isPresent ? FLAGS.present : 0) |
      (isVerified ? FLAGS.verified : 0) |
      (this.options.isSynced === true ? FLAGS.backupEligible | FLAGS.backedUp : 0) |
      (attested.length > 0 ? FLAGS.attested : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(deviation.counter ?? this.counter);
    return Buffer.concat([sha256(deviation.rpId ?? rpId), Buffer.from([flags]), counter, attested]);
  }
}
