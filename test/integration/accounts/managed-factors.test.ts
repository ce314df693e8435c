import { randomBytes } from 'node:crypto';
import { Client, PASSWORD, signUp } from '../../support/client.js';
import { createProject } from '../../support/project-environment.js';
import { addFactor } from '../../support/second-factor.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

/** A user, and whoever manages them. */
interface Managed {
  readonly user: Client;
  readonly manager: Client;
  readonly factors: string;
}

async function ofDeployment({ url, adminToken }: SharedProgram): Promise<Managed> {
  const { client, userId } = await signUp(url);
  const manager = new Client(url).as(adminToken);
  return { user: client, manager, factors: `/admin/v1/users/${userId}/factors` };
}

async function ofProject({ url, adminToken }: SharedProgram): Promise<Managed> {
  const { anon, service } = await createProject(url, adminToken);
  const { body } = await anon.post<{ access_token: string; user: { id: string } }>('/auth/v1/signup', {
    email: `${randomBytes(6).toString('hex')}@example.com`,
    password: PASSWORD,
  });
  return {
    user: anon.as(body.access_token),
    manager: service,
    factors: `/auth/v1/users/${body.user.id}/factors`,
  };
}

describe.each([
  ['organization', ofDeployment],
  ['project', ofProject],
] as const)('the second factors of a user of profile %s, for whoever manages them', (profile, prepare) => {
  let program: SharedProgram;

  beforeAll(async () => {
    program = await sharedProgram(profile);
  });

  it('are those that the user sees, and nothing of their secrets', async () => {
    const { user, manager, factors } = await prepare(program);
    expect(await manager.get(factors)).toMatchObject({ status: 200, body: [] });
    const { id } = await addFactor(user);
    const { status } = await user.post('/auth/v1/factors/totp', { name: 'Never confirmed' });
    expect(status).toBe(201);
    const own = await user.get('/auth/v1/factors');
    const seen = await manager.get<object[]>(factors);
    expect(seen).toMatchObject({ status: 200, body: own.body });
    expect(seen.body).toEqual([
      { id, type: 'totp', name: 'Phone', created_at: expect.any(String), last_used_at: expect.any(String) },
    ]);
  });

  it('are none once they are removed', async () => {
    const { user, manager, factors } = await prepare(program);
    await addFactor(user);
    expect((await manager.send('DELETE', factors)).status).toBe(204);
    expect(await manager.get(factors)).toMatchObject({ status: 200, body: [] });
  });

  it('are not listed for the user, nor for an id that names no user', async () => {
    const { user, manager, factors } = await prepare(program);
    expect((await user.get(factors)).status).toBeGreaterThanOrEqual(401);
    const users = factors.split('/').slice(0, -2).join('/');
    for (const id of ['01890000-0000-7000-8000-000000000000', 'nobody'])
      expect(await manager.get(`${users}/${id}/factors`)).toMatchObject({
        status: 404,
        body: { error: { code: 'user_not_found' } },
      });
  });
});

it('the second factors of a user are not listed with the service key of another project', async () => {
  const program = await sharedProgram('project');
  const [{ user, factors }, other] = [await ofProject(program), await ofProject(program)];
  await addFactor(user);
  expect(await other.manager.get(factors)).toMatchObject({
    status: 404,
    body: { error: { code: 'user_not_found' } },
  });
});
