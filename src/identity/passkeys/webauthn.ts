import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { cose, decodeAttestationObject, decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import { sha256 } from '../../platform/crypto/index.js';
import type { Assertion, CreatedCredential } from './credential.js';
import type { RelyingParty } from './relying-party.js';

/** How long a challenge is good for, and browsers wait. */
export const CHALLENGE_SECS = 300;

/** What every authenticator has one of. */
const ALGORITHMS = [cose.COSEALG.ES256, cose.COSEALG.EdDSA, cose.COSEALG.RS256];

/** Of a COSE key: an RSA key of 8,192 bits fits, and nothing that takes long to verify with. */
const MAX_PUBLIC_KEY_BYTES = 1_100;

/** A passkey as browsers are told of it. */
export interface NamedPasskey {
  readonly credentialId: Buffer;
  readonly transports: readonly string[];
}

/** A new passkey. */
export interface MadePasskey extends NamedPasskey {
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly isSynced: boolean;
}

/** The options of `navigator.credentials.create`, in JSON (WebAuthn Level 3, section 5.1). */
export interface CreationOptions {
  readonly rp: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly challenge: string;
  readonly pubKeyCredParams: { alg: number; type: 'public-key' }[];
  readonly timeout: number;
  readonly excludeCredentials: Descriptor[];
  readonly authenticatorSelection: {
    readonly residentKey: 'required';
    readonly requireResidentKey: true;
    readonly userVerification: 'required';
  };
  readonly attestation: 'none';
}

/** The options of `navigator.credentials.get`, in JSON. */
export interface RequestOptions {
  readonly rpId: string;
  readonly challenge: string;
  readonly timeout: number;
  readonly userVerification: 'required';
  readonly allowCredentials: Descriptor[];
}

/** How options name a passkey. */
export interface Descriptor {
  id: string;
  type: 'public-key';
  transports: string[];
}

/** What a ceremony must have been for. */
export interface Expected {
  /** Base64url. */
  readonly challenge: string;
  readonly relyingParty: RelyingParty;
}

/** Why a ceremony is refused, for the user who is signed in and tries. */
export class RefusedCeremony extends Error {
  override name = 'RefusedCeremony';
}

/** The challenge of a sign-in whose token the client keeps: nothing else needs to be stored of it. */
export function challengeOf(token: string): string {
  return sha256(`passkey challenge of ${token}`).toString('base64url');
}

/** The challenge that a ceremony claims to be for; null where none can be read. */
export function claimedChallenge({ clientDataJSON }: Pick<Assertion, 'clientDataJSON'>): string | null {
  try {
    const { challenge } = decodeClientDataJSON(clientDataJSON);
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** What a passkey keeps of its account: no address, and nothing that changes (WebAuthn, section 14.6.1). */
export function userHandleOf(userId: string): Buffer {
  return Buffer.from(userId.replaceAll('-', ''), 'hex');
}

export async function creationOptions(
  { id, name }: RelyingParty,
  account: { readonly id: string; readonly email: string },
  challenge: string,
  others: readonly NamedPasskey[],
): Promise<CreationOptions> {
  const options = await generateRegistrationOptions({
    rpID: id,
    rpName: name,
    userID: new Uint8Array(userHandleOf(account.id)),
    userName: account.email,
    userDisplayName: account.email,
    challenge: bytesOf(challenge),
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return {
    rp: { id, name },
    user: options.user,
    challenge: options.challenge,
    pubKeyCredParams: options.pubKeyCredParams,
    timeout: CHALLENGE_SECS * 1000,
    excludeCredentials: others.map(descriptorOf),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

/** @param allowed the passkeys of the account; none where the passkey is to say whose it is */
export async function requestOptions(
  { id }: RelyingParty,
  challenge: string,
  allowed: readonly NamedPasskey[],
): Promise<RequestOptions> {
  const options = await generateAuthenticationOptions({ rpID: id, challenge: bytesOf(challenge) });
  return {
    rpId: id,
    challenge: options.challenge,
    timeout: CHALLENGE_SECS * 1000,
    userVerification: 'required',
    allowCredentials: allowed.map(descriptorOf),
  };
}

/** @throws RefusedCeremony */
export async function verifyCreated(
  { id, clientDataJSON, attestationObject, transports }: CreatedCredential,
  { challenge, relyingParty }: Expected,
): Promise<MadePasskey> {
  requireHere(clientDataJSON, relyingParty);
  requireNoAttestation(attestationObject);
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject },
    },
    expectedChallenge: challenge,
    expectedOrigin: [...relyingParty.origins],
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refused);
  if (!verified) throw new RefusedCeremony('The signature of the new passkey is wrong.');
  const { credential, credentialDeviceType } = registrationInfo;
  // What is stored is what the authenticator made; the client names it in a field of its own.
  if (credential.id !== id) throw new RefusedCeremony('The credential has two ids.');
  if (credential.publicKey.length > MAX_PUBLIC_KEY_BYTES)
    throw new RefusedCeremony('The public key of the passkey is too long.');
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    signCount: credential.counter,
    transports,
    isSynced: credentialDeviceType === 'multiDevice',
  };
}

/**
 * Verifies all but the signature counter, which takes a guarded update.
 * @returns the counter
 * @throws RefusedCeremony
 */
export async function verifyAssertion(
  { id, clientDataJSON, authenticatorData, signature }: Assertion,
  publicKey: Buffer,
  { challenge, relyingParty }: Expected,
): Promise<number> {
  requireHere(clientDataJSON, relyingParty);
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData, signature },
    },
    expectedChallenge: challenge,
    expectedOrigin: [...relyingParty.origins],
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
    credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
  }).catch(refused);
  if (!verified) throw new RefusedCeremony('The signature of the passkey is wrong.');
  return authenticationInfo.newCounter;
}

/**
 * How a passkey proved its user (RFC 8176): by a key of hardware, or of software where it is copied between devices, in
 * the presence of a user whom the device verified. That is two factors at once.
 */
export function methodsOf({ isSynced }: Pick<MadePasskey, 'isSynced'>): readonly string[] {
  return [isSynced ? 'swk' : 'hwk', 'user', 'mfa'];
}

function bytesOf(challenge: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(challenge, 'base64url'));
}

function descriptorOf({ credentialId, transports }: NamedPasskey): Descriptor {
  return { id: credentialId.toString('base64url'), type: 'public-key', transports: [...transports] };
}

/** The library throws errors of no class of its own, for the caller's mistakes and for malformed bytes alike. */
function refused(error: unknown): never {
  throw new RefusedCeremony(error instanceof Error ? error.message : 'The passkey cannot be read.');
}

/** Not in the page of another site that embeds one of ours (WebAuthn, section 5.8.1, `crossOrigin`). */
function requireHere(clientDataJSON: string, { origins }: RelyingParty): void {
  let origin: unknown;
  let crossOrigin: unknown;
  try {
    ({ origin, crossOrigin } = decodeClientDataJSON(clientDataJSON));
  } catch (error) {
    refused(error);
  }
  if (typeof origin !== 'string' || !origins.includes(origin))
    throw new RefusedCeremony(`The passkey was used on an origin that is not one of ${origins.join(', ')}.`);
  if (crossOrigin === true) throw new RefusedCeremony('The passkey was used in a page of another origin.');
}

/**
 * None is asked for. Statements of other formats are refused unread: to verify them, the library follows certificates
 * of the sender's, and the addresses in them.
 */
function requireNoAttestation(attestationObject: string): void {
  let isNone: boolean;
  try {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
    const format = decoded.get('fmt');
    isNone = format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
  } catch (error) {
    refused(error);
  }
  if (!isNone) throw new RefusedCeremony('The passkey has an attestation, which was not asked for.');
}
