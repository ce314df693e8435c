import type { PasskeyCreationOptions, PasskeyCredential, PasskeyRequestOptions } from '@service/client';

/** Loaded where somebody uses a passkey. */
const webAuthn = () => import('@simplewebauthn/browser');

const IP_ADDRESS = /^(?:\d+\.){3}\d+$|:/;

/** Whether browsers have passkeys here: on https:// and localhost, and under no IP address. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window && !IP_ADDRESS.test(location.hostname);
}

/** Where this machine's own console has passkeys, if it was opened under the address of the loopback. */
export function addressWithPasskeys(): string | null {
  const { hostname, protocol, port } = location;
  if (hostname !== '127.0.0.1' && hostname !== '[::1]') return null;
  return `${protocol}//localhost${port === '' ? '' : `:${port}`}/console`;
}

/** Asks the person for a passkey. */
export async function askForPasskey(options: PasskeyRequestOptions): Promise<PasskeyCredential> {
  const { startAuthentication } = await webAuthn();
  const used = await startAuthentication({ optionsJSON: options });
  return { ...used, response: { ...used.response }, clientExtensionResults: {} };
}

/** Asks the person to make a passkey. */
export async function makePasskey(options: PasskeyCreationOptions): Promise<PasskeyCredential> {
  const { startRegistration } = await webAuthn();
  const made = await startRegistration({ optionsJSON: options });
  return { ...made, response: { ...made.response }, clientExtensionResults: {} };
}

/** Whether the person, or the time that they had, ended it: no failure to tell of in red. */
export function isCancelled(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === 'NotAllowedError' || codeOf(error) === 'ERROR_CEREMONY_ABORTED')
  );
}

/** Whether the device has a passkey of the account already. */
export function isKnownDevice(error: unknown): boolean {
  return codeOf(error) === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
}

/** The `code` of a `WebAuthnError`. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
