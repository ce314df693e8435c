import { actionsOf, passwordHashes, refresh, signIn } from '../../support/accounts.js';
import { Client, PASSWORD, signUp } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

const NEW_PASSWORD = 'a wholly other password';

let environment: TestEnvironment;
let service: ServiceInProcess;
let anonymous: Client;

beforeAll(async () => {
  environment = await createEnvironment();
  service = await ServiceInProcess.start(environment.variables);
  anonymous = new Client(service.url);
});

afterAll(async () => {
  await service.stop();
  await environment.dispose();
});

function refusal(status: number, code: string): object {
  return { status, body: { error: { code, status } } };
}

/** Object keys in one order; PostgreSQL keeps its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}

test('metadata is merged as RFC 7396 says: null removes a member, and every name is data', async () => {
  const ada = await signUp(service.url);
  const home = { city: 'London', street: 'St James' };
  const list = [1, null];
  const patches: [object, object][] = [
    [
      { name: 'Ada', address: home },
      { name: 'Ada', address: home },
    ],
    [
      { name: null, address: { street: null }, list },
      { address: { city: 'London' }, list },
    ],
    [
      { address: 'gone', toString: 'kept' },
      { address: 'gone', list, toString: 'kept' },
    ],
    [{}, { address: 'gone', list, toString: 'kept' }],
  ];
  for (const [metadata, expected] of patches) {
    const answer = await ada.client.send<{ metadata: unknown }>('PATCH', '/auth/v1/user', { metadata });
    expect(answer.status).toBe(200);
    expect(JSON.stringify(sorted(answer.body.metadata))).toBe(JSON.stringify(sorted(expected)));
  }
  const own = await ada.client.get('/auth/v1/user');
  expect(own.body).toMatchObject({ email: ada.email, orgs: [], metadata: { address: 'gone' } });
});

test('patches of one account at one time lose nothing of each other', async () => {
  const ada = await signUp(service.url);
  const keys = Array.from({ length: 10 }, (_, index) => `key${index}`);
  await Promise.all(
    keys.map((key) => ada.client.send('PATCH', '/auth/v1/user', { metadata: { [key]: true } })),
  );
  const { body } = await ada.client.get<{ metadata: object }>('/auth/v1/user');
  expect(Object.keys(body.metadata).sort()).toEqual(keys);
});

test.each([
  ['no object', { metadata: null }],
  ['a list', { metadata: [] }],
  ['NUL in a value', { metadata: { text: 'a\0b' } }],
  ['NUL in a name', { metadata: { 'a\0b': 1 } }],
  ['half of a character', { metadata: { half: '\ud800' } }],
  ['too much', { metadata: { large: 'x'.repeat(17_000) } }],
  ['a password alone', { password: NEW_PASSWORD }],
  ['a current password alone', { current_password: PASSWORD }],
  ['a short password', { password: 'short', current_password: PASSWORD }],
  ['null passwords', { password: null, current_password: null }],
  ['an unknown field', { email: 'other@example.com' }],
])('a patch with %s is refused and changes nothing', async (_what, body) => {
  const ada = await signUp(service.url);
  const before = await ada.client.get('/auth/v1/user');
  const answer = await ada.client.send('PATCH', '/auth/v1/user', body);
  expect(answer).toMatchObject(refusal(400, 'validation_failed'));
  expect((await ada.client.get('/auth/v1/user')).body).toEqual(before.body);
});

test('a new password costs one check and one hash, ends every other session and keeps this one', async () => {
  const ada = await signUp(service.url);
  const other = await signIn(anonymous, ada.email, PASSWORD);
  const before = await passwordHashes(anonymous);
  const body = { password: NEW_PASSWORD, current_password: PASSWORD };
  const changed = await ada.client.send('PATCH', '/auth/v1/user', body);
  expect(changed).toMatchObject({ status: 200, body: { id: ada.userId, orgs: [] } });
  expect((await passwordHashes(anonymous)) - before).toBe(2);
  expect(await refresh(anonymous, other.body.refresh_token)).toMatchObject(refusal(401, 'session_revoked'));
  expect((await refresh(anonymous, ada.refreshToken)).status).toBe(200);
  expect((await signIn(anonymous, ada.email, PASSWORD)).status).toBe(401);
  expect((await signIn(anonymous, ada.email, NEW_PASSWORD)).status).toBe(200);
});

test('a wrong current password costs one check, changes nothing and is recorded', async () => {
  const ada = await signUp(service.url);
  const before = await passwordHashes(anonymous);
  const body = { password: NEW_PASSWORD, current_password: 'not this one', metadata: { a: 1 } };
  const answer = await ada.client.send('PATCH', '/auth/v1/user', body);
  expect(answer).toMatchObject(refusal(403, 'wrong_password'));
  expect((await passwordHashes(anonymous)) - before).toBe(1);
  expect((await ada.client.get('/auth/v1/user')).body).toMatchObject({ metadata: {} });
  expect(await actionsOf(environment.database, ada.userId)).toEqual([
    'user.signed_up',
    'session.opened',
    'user.password_change_refused',
  ]);
});

test('changing, deleting and reading the audit trail need a user', async () => {
  const refused = refusal(401, 'unauthenticated');
  expect(await anonymous.send('PATCH', '/auth/v1/user', {})).toMatchObject(refused);
  expect(await anonymous.send('DELETE', '/auth/v1/user', { password: PASSWORD })).toMatchObject(refused);
  expect(await anonymous.get('/auth/v1/user/audit')).toMatchObject(refused);
});

test('the own audit trail shows the entries of the account alone, page by page, linked by their hashes', async () => {
  interface Entry {
    action: string;
    hash: string;
    prev_hash: string;
  }
  const ada = await signUp(service.url);
  for (let round = 0; round < 3; round += 1) await signIn(anonymous, ada.email, 'wrong password');
  const seen: Entry[] = [];
  let path: string | undefined = '/auth/v1/user/audit?limit=2';
  while (path !== undefined) {
    const { status, body, headers } = (await ada.client.get<Entry[]>(path)) as {
      status: number;
      body: Entry[];
      headers: Headers;
    };
    expect(status).toBe(200);
    seen.push(...body);
    path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  expect(seen.map(({ action }) => action)).toEqual([
    'session.sign_in_refused',
    'session.sign_in_refused',
    'session.sign_in_refused',
    'session.opened',
    'user.signed_up',
  ]);
  seen.slice(1).forEach((older, index) => {
    expect(seen[index]?.prev_hash).toBe(older.hash);
  });
  expect(seen[3]).toMatchObject({
    actor: { type: 'user', id: ada.userId },
    target: { type: 'session', id: expect.any(String) },
    org_id: null,
    ip: '127.0.0.1',
    details: { proof: 'sign_up' },
  });
  expect((await ada.client.get('/auth/v1/user/audit?cursor=AAAA')).status).toBe(400);
});
