import { actionsOf, refresh, signIn } from '../../support/accounts.js';
import { Client, PASSWORD, signUp } from '../../support/client.js';
import type { SignedUp } from '../../support/client.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

interface SessionBody {
  id: string;
  created_at: string;
  user_agent: string | null;
  ip: string;
  current: boolean;
}

let program: SharedProgram;
let anonymous: Client;

beforeAll(async () => {
  program = await sharedProgram();
  anonymous = new Client(program.url);
});
/** A user with three sessions: that of the sign-up, a phone's and a laptop's, these by refresh token. */
async function threeSessions(): Promise<{ ada: SignedUp; others: string[] }> {
  const ada = await signUp(program.url);
  const phone = await signIn(anonymous.with({ 'user-agent': 'phone' }), ada.email, PASSWORD);
  const laptop = await signIn(anonymous.with({ 'user-agent': 'laptop' }), ada.email, PASSWORD);
  return { ada, others: [phone.body.refresh_token, laptop.body.refresh_token] };
}

async function alive(tokens: readonly string[]): Promise<boolean[]> {
  return await Promise.all(tokens.map(async (token) => (await refresh(anonymous, token)).status === 200));
}

test('lists the live sessions, newest first, page by page, and marks the one that asks', async () => {
  const { ada } = await threeSessions();
  const all = await ada.client.get<SessionBody[]>('/auth/v1/sessions');
  expect(all.body.map(({ user_agent, current }) => [user_agent, current])).toEqual([
    ['laptop', false],
    ['phone', false],
    ['node', true],
  ]);
  expect(all.body[0]).toMatchObject({ ip: '127.0.0.1', created_at: expect.stringMatching(/Z$/) });
  const first = await ada.client.get<SessionBody[]>('/auth/v1/sessions?limit=2');
  const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await ada.client.get<SessionBody[]>(next);
  expect([...first.body, ...second.body]).toEqual(all.body);
  expect((await anonymous.get('/auth/v1/sessions')).status).toBe(401);
});

test('ends one session; unknown, foreign and ended ones are session_not_found', async () => {
  const { ada, others } = await threeSessions();
  const stranger = await signUp(program.url);
  const { body: sessions } = await ada.client.get<SessionBody[]>('/auth/v1/sessions');
  const phone = sessions.find(({ user_agent }) => user_agent === 'phone')?.id ?? '';
  const missing = { status: 404, body: { error: { code: 'session_not_found' } } };
  expect(await stranger.client.send('DELETE', `/auth/v1/sessions/${phone}`)).toMatchObject(missing);
  expect((await ada.client.send('DELETE', `/auth/v1/sessions/${phone}`)).status).toBe(204);
  expect(await ada.client.send('DELETE', `/auth/v1/sessions/${phone}`)).toMatchObject(missing);
  expect(await ada.client.send('DELETE', '/auth/v1/sessions/no-uuid')).toMatchObject(missing);
  expect((await actionsOf(program.database, ada.userId)).at(-1)).toBe('session.revoked');
  expect(await ada.client.get('/auth/v1/sessions')).toMatchObject({ body: [{}, {}] });
  expect(await alive([...others, ada.refreshToken])).toEqual([false, true, true]);
});

test.each([
  ['local', [true, true, false]],
  [undefined, [true, true, false]],
  ['others', [false, false, true]],
  ['global', [false, false, false]],
])('logout with scope %s by access token leaves phone, laptop, this one = %j', async (scope, expected) => {
  const { ada, others } = await threeSessions();
  const answer = await ada.client.post('/auth/v1/logout', scope === undefined ? {} : { scope });
  expect(answer).toMatchObject({ status: 204, body: null });
  expect(await alive([...others, ada.refreshToken])).toEqual(expected);
});

test.each([
  ['local', [false, true, true]],
  ['others', [true, false, false]],
  ['global', [false, false, false]],
])(
  "logout with scope %s by the phone's refresh token leaves phone, laptop, this one = %j",
  async (scope, expected) => {
    const { ada, others } = await threeSessions();
    const body = { refresh_token: others[0], scope };
    expect((await ada.client.post('/auth/v1/logout', body)).status).toBe(204);
    expect(await alive([...others, ada.refreshToken])).toEqual(expected);
  },
);

test('logout with a bad access token or scope is refused', async () => {
  expect(await anonymous.as('no.such.token').post('/auth/v1/logout')).toMatchObject({
    status: 401,
    body: { error: { code: 'invalid_access_token' } },
  });
  const ada = await signUp(program.url);
  for (const body of [{ scope: 'all' }, { scope: null }, { refresh_token: '' }, { other: 1 }]) {
    expect((await ada.client.post('/auth/v1/logout', body)).status).toBe(400);
  }
});

test('logout by a used refresh token ends its session all the same', async () => {
  const ada = await signUp(program.url);
  const refreshed = await refresh(anonymous, ada.refreshToken);
  expect((await anonymous.post('/auth/v1/logout', { refresh_token: ada.refreshToken })).status).toBe(204);
  expect(await alive([refreshed.body.refresh_token])).toEqual([false]);
});
