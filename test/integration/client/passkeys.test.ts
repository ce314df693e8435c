import { createClient, ServiceError } from '../../../client/src/index.js';
import type { OrganizationClient } from '../../../client/src/index.js';
import { PASSWORD } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { SoftwareAuthenticator } from '../../support/software-authenticator.js';

const ORIGIN = 'https://app.example.com';

interface PublicKey {
  challenge: Uint8Array;
  rpId: string;
  rp: { id: string };
  user: { id: Uint8Array };
  allowCredentials?: { id: Uint8Array }[];
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const bytes = (value: unknown): ArrayBuffer => new Uint8Array(Buffer.from(String(value), 'base64url')).buffer;

/** `navigator.credentials` over an authenticator in software. */
function credentialsOf(authenticator: SoftwareAuthenticator): object {
  return {
    create: ({ publicKey: { rp, user, challenge } }: { publicKey: PublicKey }) => {
      const made = authenticator.create({ rp, user: { id: text(user.id) }, challenge: text(challenge) });
      const { clientDataJSON, attestationObject, transports } = made.response;
      return Promise.resolve({
        id: made.id,
        rawId: bytes(made.id),
        type: made.type,
        response: {
          clientDataJSON: bytes(clientDataJSON),
          attestationObject: bytes(attestationObject),
          getTransports: () => transports,
        },
      });
    },
    get: ({ publicKey: { rpId, challenge, allowCredentials = [] } }: { publicKey: PublicKey }) => {
      const allowed = allowCredentials.map(({ id }) => ({ id: text(id) }));
      const used = authenticator.get({ rpId, challenge: text(challenge), allowCredentials: allowed });
      const { clientDataJSON, authenticatorData, signature, userHandle } = used.response;
      return Promise.resolve({
        id: used.id,
        rawId: bytes(used.id),
        type: used.type,
        response: {
          clientDataJSON: bytes(clientDataJSON),
          authenticatorData: bytes(authenticatorData),
          signature: bytes(signature),
          userHandle: bytes(userHandle),
        },
      });
    },
  };
}

describe('the client in a browser with passkeys', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  const navigator = Object.getOwnPropertyDescriptor(globalThis, 'navigator');

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_IDENTITY__PASSKEYS__RP_ID: 'example.com',
      SERVICE_IDENTITY__PASSKEYS__ORIGINS: ORIGIN,
    });
  });

  afterEach(() => {
    if (navigator === undefined) Reflect.deleteProperty(globalThis, 'navigator');
    else Object.defineProperty(globalThis, 'navigator', navigator);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  function browse(credentials: object | undefined): void {
    Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { credentials } });
  }

  async function signedUp(email: string): Promise<OrganizationClient> {
    const client = createClient({ url: service.url });
    await client.auth.signUp({ email, password: PASSWORD });
    return client;
  }

  it('adds one, signs in by it alone and as a second step, and proves its user again', async () => {
    browse(credentialsOf(new SoftwareAuthenticator(ORIGIN)));
    const email = 'ada@example.com';
    const client = await signedUp(email);
    const added = await client.auth.factors.addPasskey('Laptop');
    expect(added).toMatchObject({ type: 'passkey', name: 'Laptop' });
    expect(added.recovery_codes).toHaveLength(10);
    await client.auth.factors.reauthenticateWithPasskey();
    const other = createClient({ url: service.url });
    expect((await other.auth.signInWithPasskey()).user.email).toBe(email);
    const refusal: unknown = await other.auth
      .signIn({ email, password: PASSWORD })
      .catch((error: unknown) => error);
    const { challenge } = refusal as ServiceError;
    if (challenge === undefined) throw new Error('the sign-in was not challenged');
    expect((await other.auth.completeSignInWithPasskey(challenge)).user.email).toBe(email);
  });

  it('tells why there is none: no browser, somebody who changed their mind, a device that has one', async () => {
    const client = await signedUp('grace@example.com');
    browse(undefined);
    await expect(client.auth.signInWithPasskey()).rejects.toMatchObject({ code: 'passkeys_not_supported' });
    const failing = (name: string): void => {
      const fail = (): Promise<never> => Promise.reject(Object.assign(new Error('no'), { name }));
      browse({ create: fail, get: fail });
    };
    failing('NotAllowedError');
    await expect(client.auth.signInWithPasskey()).rejects.toMatchObject({
      code: 'passkey_cancelled',
      status: 0,
    });
    failing('InvalidStateError');
    await expect(client.auth.factors.addPasskey('Laptop')).rejects.toMatchObject({ code: 'passkey_taken' });
    await expect(
      client.auth.completeSignInWithPasskey({ token: 'x', factors: ['totp'], expires_at: '' }),
    ).rejects.toBeInstanceOf(ServiceError);
  });
});
