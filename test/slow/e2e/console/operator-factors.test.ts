import { addFactor } from '../../../support/second-factor.js';
import { Client, PASSWORD } from '../../../support/client.js';
import type { Answer } from '../../../support/client.js';
import { createOperatorAccount, nextCodeOf, removeFactorOf } from '../../../support/operator-account.js';
import type { OperatorAccount, Profile } from '../../../support/operator-account.js';
import { createProject } from '../../../support/project-environment.js';
import { sendRaw } from '../../../support/raw-http.js';
import { programRoutes } from '../../../support/routes.js';
import type { Route } from '../../../support/routes.js';
import { sharedProgram } from '../../../support/shared-program.js';
import type { SharedProgram } from '../../../support/shared-program.js';
import { ConsoleCaller } from './console-caller.js';
import { createOperator } from './operator-accounts.js';

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';
const REFUSED = [403, 'second_factor_required'];

interface Shown {
  access_token: string;
  operator: string | null;
  factor_required: boolean;
}

function refusalOf({ status, body }: Answer<unknown>): [number, string | undefined] {
  return [status, (body as { error?: { code: string } } | null)?.error?.code];
}

async function call(caller: Client, { method, path }: Route): Promise<Answer<unknown>> {
  return await caller.send(
    method,
    path.replaceAll(/\{\w+\}/g, UNKNOWN_ID),
    method === 'GET' ? undefined : {},
  );
}

/** Routes on which an operator acts: their own, and in the project profile those of any project. */
async function actingRoutes(profile: Profile): Promise<Route[]> {
  const routes = await programRoutes(profile);
  return routes.filter(
    ({ access }) =>
      access === 'operator' ||
      (profile === 'project' && (access === 'service_key' || access === 'member' || access?.includes(':'))),
  );
}

interface PasswordOnly {
  readonly account: OperatorAccount;
  readonly browser: ConsoleCaller;
  readonly shown: Shown;
}

/** An operator who has no factor, signed in by password alone. */
async function signInWithoutFactor(
  { url, database }: SharedProgram,
  profile: Profile,
  access: 'full' | 'read_only' = 'full',
): Promise<PasswordOnly> {
  const account = await createOperatorAccount(database, profile, access);
  await removeFactorOf(database, account);
  const browser = new ConsoleCaller(url);
  const { status, body } = await browser.post<Shown>('', { email: account.email, password: PASSWORD });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { account, browser, shown: body };
}

describe.each(['organization', 'project'] as const)('an operator of the %s profile', (profile) => {
  let program: SharedProgram;
  let ref: string | null = null;

  beforeAll(async () => {
    program = await sharedProgram(profile);
    if (profile === 'project') ({ ref } = await createProject(program.url, program.adminToken));
  });

  const as = (token: string): Client => new Client(program.url).as(token);
  /** Calls the operator's routes, and those of a project in its name. */
  const acting = (token: string, { access }: Route): Client =>
    access === 'operator' ? as(token) : new Client(program.url, { 'x-service-project': ref ?? '' }).as(token);
  const probe = profile === 'organization' ? '/admin/v1/users' : '/admin/v1/projects';

  async function expectRefusedEverywhere(token: string): Promise<void> {
    const routes = await actingRoutes(profile);
    expect(routes.length).toBeGreaterThan(10);
    for (const route of routes)
      expect([route.handler, ...refusalOf(await call(acting(token, route), route))]).toEqual([
        route.handler,
        ...REFUSED,
      ]);
  }

  it.each(['full', 'read_only'] as const)(
    'with the access %s acts on no route without a second factor',
    async (access) => {
      const { shown } = await signInWithoutFactor(program, profile, access);
      expect(shown).toMatchObject({ operator: access, factor_required: true });
      await expectRefusedEverywhere(shown.access_token);
    },
  );

  it('acts as soon as the account has its first factor, by the token of before', async () => {
    const { shown, browser } = await signInWithoutFactor(program, profile);
    const { recoveryCodes } = await addFactor(as(shown.access_token));
    expect(recoveryCodes).toHaveLength(10);
    expect((await as(shown.access_token).get(probe)).status).toBe(200);
    expect((await browser.post<Shown>('/refresh')).body).toMatchObject({
      operator: 'full',
      factor_required: false,
    });
  });

  it('acts on no route any more once the factor is gone, while the session lives', async () => {
    const { accessToken, browser, ...account } = await createOperator(program, profile);
    expect((await as(accessToken).get(probe)).status).toBe(200);
    await removeFactorOf(program.database, account);
    await expectRefusedEverywhere(accessToken);
    const renewed = await browser.post<Shown>('/refresh');
    expect(renewed.body).toMatchObject({ operator: 'full', factor_required: true });
    expect(refusalOf(await as(renewed.body.access_token).get(probe))).toEqual(REFUSED);
    await addFactor(as(accessToken));
    expect((await as(accessToken).get(probe)).status).toBe(200);
  });

  it('acts on no route in a session of level 1, until it meets the factor', async () => {
    const operator = await createOperator(program, profile);
    await program.database.query('UPDATE sessions SET aal = 1 WHERE user_id = $1', [operator.userId]);
    await expectRefusedEverywhere(operator.accessToken);
    const proof = { password: PASSWORD };
    expect((await as(operator.accessToken).post('/auth/v1/reauthenticate', proof)).status).toBe(204);
    expect(refusalOf(await as(operator.accessToken).get(probe))).toEqual(REFUSED);
    const factor = { recovery_code: nextCodeOf(operator) };
    expect((await as(operator.accessToken).post('/auth/v1/reauthenticate', factor)).status).toBe(204);
    expect((await as(operator.accessToken).get(probe)).status).toBe(200);
  });

  it('manages factors and sessions of their own, one who may only read as well', async () => {
    const { accessToken, userId, browser } = await createOperator(program, profile, 'read_only');
    const client = as(accessToken);
    const { id } = await addFactor(client);
    expect(await client.get('/auth/v1/factors')).toMatchObject({ status: 200, body: [{ id }] });
    expect((await client.send('PATCH', `/auth/v1/factors/${id}`, { name: 'Key' })).status).toBe(200);
    expect((await client.post('/auth/v1/factors/passkeys/options')).status).toBe(200);
    expect((await client.post('/auth/v1/factors/recovery-codes')).status).toBe(200);
    expect(await client.get('/auth/v1/sessions')).toMatchObject({ status: 200, body: [{ current: true }] });
    expect((await client.send('DELETE', `/auth/v1/factors/${id}`)).status).toBe(204);
    expect(refusalOf(await client.get(probe))).toEqual(REFUSED);
    const actions = await program.database.query(
      `SELECT action FROM audit_entries WHERE user_id = $1 AND action LIKE 'user.factor%' ORDER BY position`,
      [userId],
    );
    expect(actions).toEqual([{ action: 'user.factor_added' }, { action: 'user.factor_removed' }]);
    await browser.send('DELETE', '');
    expect((await client.get('/auth/v1/factors')).status).toBe(401);
  });

  it('is what admin.token still is, for programs, without a factor', async () => {
    expect((await as(program.adminToken).get(probe)).status).toBe(200);
  });
});

test("an operator's token opens their own account to nobody who names a project with it", async () => {
  const program = await sharedProgram('project');
  const project = await createProject(program.url, program.adminToken);
  const { accessToken } = await createOperator(program, 'project');
  const bearer = { authorization: `Bearer ${accessToken}` };
  const withKey = project.anon.with(bearer);
  expect(refusalOf(await withKey.get('/auth/v1/factors'))).toEqual([401, 'invalid_access_token']);
  const named = new Client(program.url, { 'x-service-project': project.ref, ...bearer });
  expect(refusalOf(await named.get('/auth/v1/factors'))).toEqual([401, 'invalid_access_token']);
  expect((await new Client(program.url, bearer).get('/auth/v1/user')).status).toBe(401);
  const byHost = [
    'GET /auth/v1/factors HTTP/1.1',
    `Host: ${project.ref}.projects.test`,
    `Authorization: ${bearer.authorization}`,
    'Connection: close',
  ];
  expect((await sendRaw(program.url, `${byHost.join('\r\n')}\r\n\r\n`)).status).toBe(401);
});
