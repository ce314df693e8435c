import { decodeJwt, SignJWT } from 'jose';
import { VerifiedBearers } from '../../../src/access/credentials/verified-bearers.js';
import { SigningKeys } from '../../../src/identity/index.js';
import { Client, signUpOwner } from '../../support/client.js';
import type { Answer } from '../../support/client.js';
import { addMember, makeKey } from '../../support/api-keys.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { atInstant, clockAhead } from '../../support/clocks.js';

const ADMIN_TOKEN = 'the-operator-of-this-deployment';
const PATH = '/auth/v1/permissions';

describe('an access token that was verified before', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let operator: Client;
  let anonymous: Client;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_ADMIN__TOKEN: ADMIN_TOKEN,
    });
    anonymous = new Client(service.url);
    operator = anonymous.as(ADMIN_TOKEN);
  });

  beforeEach(async () => {
    owner = await signUpOwner(service.url);
    expect((await owner.client.get(PATH)).status).toBe(200);
    expect(isKnown(owner.accessToken)).toBe(true);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  function isKnown(token: string): boolean {
    const verified = service.application.get(VerifiedBearers);
    return verified.find({ authorization: `Bearer ${token}` }) !== undefined;
  }

  function outcomeOf({ status, body }: Answer): [number, string?] {
    const { error } = body as { error?: { code: string } };
    return error === undefined ? [status] : [status, error.code];
  }

  it('is answered from memory, without a statement', async () => {
    expect(await service.statementsOnceWarm(() => owner.client.get(PATH))).toEqual([]);
  });

  it('is refused once it has expired', async () => {
    const { kid, privateKey } = service.application.get(SigningKeys).active;
    const exp = Math.floor(Date.now() / 1000) + 600;
    const token = await new SignJWT({ ...decodeJwt(owner.accessToken), exp })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid })
      .sign(privateKey);
    const client = anonymous.as(token).in(owner.slug);
    expect((await client.get(PATH)).status).toBe(200);
    expect(isKnown(token)).toBe(true);
    const statusAt = async (secs: number): Promise<[number, string?]> =>
      outcomeOf(await atInstant(service, new Date(secs * 1000), () => client.get(PATH)));
    expect(await statusAt(exp - 1)).toEqual([200]);
    // What is not remembered is verified by a library, which looks at the clock itself.
    const clock = clockAhead(exp * 1000 - Date.now());
    expect(await statusAt(exp)).toEqual([401, 'invalid_access_token']);
    clock.mockRestore();
  });

  it('is refused in the next request after its key was retired', async () => {
    expect((await operator.post('/admin/v1/signing-keys/rotate', { immediate: true })).status).toBe(202);
    expect(outcomeOf(await owner.client.get(PATH))).toEqual([401, 'invalid_access_token']);
    expect(isKnown(owner.accessToken)).toBe(false);
  });

  it('is refused in the next request after its user was disabled', async () => {
    const disabled = await operator.send('PATCH', `/admin/v1/users/${owner.userId}`, { disabled: true });
    expect(disabled.status).toBe(200);
    expect(outcomeOf(await owner.client.get(PATH))).toEqual([401, 'invalid_access_token']);
  });

  it('loses a permission with the role, and the organization with the membership', async () => {
    const member = await addMember(service.url, environment.database, owner.orgId, ['auth:members:read']);
    const members = `/auth/v1/orgs/${owner.slug}/members`;
    expect((await member.client.get(members)).status).toBe(200);
    const changed = await owner.client.send('PATCH', `${members}/${member.userId}`, { role: 'member' });
    expect(changed.status).toBe(200);
    const { role } = (await member.client.get(PATH)).body;
    expect(role).toBe('member');
    expect((await owner.client.send('DELETE', `${members}/${member.userId}`)).status).toBe(204);
    expect((await member.client.get(members)).status).toBe(403);
  });

  it('does not make another text good: a changed signature, claim or header', async () => {
    const [head = '', body = '', signature = ''] = owner.accessToken.split('.');
    const flipped = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
    const changed = [
      `${head}.${body}.${flipped(signature)}`,
      `${head}.${body}.${signature.slice(0, -4)}`,
      `${head}.${flipped(body)}.${signature}`,
      `${flipped(head)}.${body}.${signature}`,
      `${head}.${body}.`,
      `${owner.accessToken} x`,
      `${owner.accessToken} ${owner.accessToken}`,
    ];
    for (const token of changed)
      expect(outcomeOf(await anonymous.as(token).get(PATH))).toEqual([401, 'invalid_access_token']);
  });

  it('is no way round the refusal of two credentials', async () => {
    const { key } = await makeKey(owner.client, owner.orgId, ['data:orders:read']);
    const both = owner.client.with({ 'x-api-key': key });
    expect(outcomeOf(await both.get(PATH))).toEqual([400, 'repeated_header']);
  });

  it('is not the operator’s, and the operator’s is not a user’s', async () => {
    expect(outcomeOf(await anonymous.as(owner.accessToken).get('/admin/v1/users'))).toEqual([
      401,
      'invalid_admin_token',
    ]);
    expect((await operator.get('/admin/v1/users')).status).toBe(200);
    expect(outcomeOf(await operator.get(PATH))).toEqual([401, 'invalid_access_token']);
  });

  it('of a session that has ended gives no rights to others', async () => {
    expect((await owner.client.post('/auth/v1/logout')).status).toBe(204);
    const created = await owner.client.post(`/auth/v1/orgs/${owner.slug}/api-keys`, {
      name: 'late',
      permissions: ['data:orders:read'],
    });
    expect(outcomeOf(created)).toEqual([401, 'session_revoked']);
  });
});
