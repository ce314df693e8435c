import { decodeAttestationObject, parseAuthenticatorData } from '@simplewebauthn/server/helpers';
import { readFileSync } from 'node:fs';
import { verifyAssertion, verifyCreated } from '../../../src/identity/passkeys/webauthn.js';

interface Vector {
  readonly registration: Readonly<
    Record<'challenge' | 'credential_id' | 'clientDataJSON' | 'attestationObject', string>
  >;
  readonly authentication: Readonly<
    Record<'challenge' | 'clientDataJSON' | 'authenticatorData' | 'signature', string>
  >;
}

/** Of WebAuthn Level 3, section 16 (https://www.w3.org/TR/webauthn-3/#sctn-test-vectors), in hexadecimal. */
const VECTORS = JSON.parse(
  readFileSync(new URL('webauthn-vectors.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Vector>>;

const RELYING_PARTY = { id: 'example.org', name: 'Example', origins: ['https://example.org'] };

function vectorOf(name: string): Vector {
  const vector = VECTORS[name];
  if (vector === undefined) throw new Error(`there is no vector ${name}`);
  return vector;
}

function base64url(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64url');
}

async function register({ registration }: Vector): Promise<Buffer> {
  const made = await verifyCreated(
    {
      id: base64url(registration.credential_id),
      clientDataJSON: base64url(registration.clientDataJSON),
      attestationObject: base64url(registration.attestationObject),
      transports: [],
    },
    { challenge: base64url(registration.challenge), relyingParty: RELYING_PARTY },
  );
  return made.credentialId;
}

/** The key that the authenticator made, whatever its attestation. */
function publicKeyOf({ registration }: Vector): Buffer {
  const attestation = decodeAttestationObject(
    new Uint8Array(Buffer.from(registration.attestationObject, 'hex')),
  );
  const { credentialPublicKey } = parseAuthenticatorData(attestation.get('authData'));
  return Buffer.from(credentialPublicKey ?? []);
}

async function authenticate(vector: Vector, change: Partial<Vector['authentication']> = {}): Promise<number> {
  const given = { ...vector.authentication, ...change };
  return await verifyAssertion(
    {
      id: base64url(vector.registration.credential_id),
      clientDataJSON: base64url(given.clientDataJSON),
      authenticatorData: base64url(given.authenticatorData),
      signature: base64url(given.signature),
      userHandle: null,
    },
    publicKeyOf(vector),
    { challenge: base64url(given.challenge), relyingParty: RELYING_PARTY },
  );
}

describe('the test vectors of WebAuthn Level 3', () => {
  it('register a credential with a verified user and self attestation', async () => {
    const vector = vectorOf('packed-self-es256');
    expect((await register(vector)).toString('hex')).toBe(vector.registration.credential_id);
  });

  it.each([
    ['none-es256', /user/i],
    ['none-es256-long-credential-id', /user/i],
    ['none-es256-crossOrigin', /page of another origin/],
    ['none-es256-topOrigin', /page of another origin/],
    ['packed-es256', /attestation/],
    ['packed-rs256', /attestation/],
    ['packed-eddsa', /attestation/],
    ['tpm-es256', /attestation/],
  ])('register nothing with %s', async (name, reason) => {
    await expect(register(vectorOf(name))).rejects.toThrow(reason);
  });

  it.each(['none-es256-long-credential-id', 'packed-es256', 'tpm-es256'])(
    'sign in with %s, whose user was verified',
    async (name) => {
      expect(await authenticate(vectorOf(name))).toEqual(expect.any(Number));
    },
  );

  it.each([
    ['none-es256', /user/i],
    ['packed-self-es256', /user/i],
    ['packed-rs256', /user/i],
    ['packed-eddsa', /user/i],
    ['none-es256-crossOrigin', /page of another origin/],
    ['none-es256-topOrigin', /page of another origin/],
  ])('sign nobody in with %s', async (name, reason) => {
    await expect(authenticate(vectorOf(name))).rejects.toThrow(reason);
  });

  it('sign nobody in with another signature or for another challenge', async () => {
    const [vector, other] = [vectorOf('packed-es256'), vectorOf('tpm-es256').authentication];
    await expect(authenticate(vector, { signature: other.signature })).rejects.toThrow();
    await expect(authenticate(vector, { challenge: other.challenge })).rejects.toThrow();
  });
});
