import { actionsOf, passwordHashes, setDisabled, signIn } from '../../support/accounts.js';
import type { TokenAnswer } from '../../support/accounts.js';
import { Client, PASSWORD, signUp } from '../../support/client.js';
import type { Answer } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

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

test('sign-in tells nothing: unknown, wrong, disabled and blank have one answer, one cost, one number of statements', async () => {
  const ada = await signUp(service.url);
  const disabled = await signUp(service.url);
  await setDisabled(service, disabled.userId, true);
  const attempts = [
    ['nobody@example.com', PASSWORD],
    [ada.email, 'not the password'],
    [disabled.email, PASSWORD],
    [ada.email, '        '],
    ['nobody@example.com', ' '],
  ] as const;
  const seen: object[] = [];
  for (const [email, password] of attempts) {
    const hashesBefore = await passwordHashes(anonymous);
    const answers: Answer<TokenAnswer>[] = [];
    const statements = await service.statementsOf(async () => {
      answers.push(await signIn(anonymous, email, password));
    });
    const [answer] = answers;
    // What is left to guess at an account goes down with each guess, whether the account exists or not.
    const changing = new Set(['date', 'x-request-id', 'ratelimit']);
    seen.push({
      status: answer?.status,
      body: answer?.body,
      headers: [...(answer?.headers ?? [])].filter(([name]) => !changing.has(name)).sort(),
      hashes: (await passwordHashes(anonymous)) - hashesBefore,
      statements: statements.filter((sql) => /"users"|audit_/.test(sql)).length,
    });
  }
  expect(seen[0]).toMatchObject({
    status: 401,
    body: { error: { code: 'invalid_credentials' } },
    hashes: 1,
    statements: 2,
  });
  for (const other of seen.slice(1)) expect(other).toEqual(seen[0]);
});

test('an empty password is refused before any look-up', async () => {
  const ada = await signUp(service.url);
  const before = await passwordHashes(anonymous);
  const statements = await service.statementsOf(async () => {
    expect((await signIn(anonymous, ada.email, '')).status).toBe(400);
  });
  expect(statements.filter((sql) => sql.includes('users') && !sql.includes('outgoing_mails'))).toEqual([]);
  expect(await passwordHashes(anonymous)).toBe(before);
});

test('a disabled account is refused at once, with its tokens, and signs in again when it is enabled, while the old tokens stay refused', async () => {
  const ada = await signUp(service.url);
  expect((await ada.client.get('/auth/v1/user')).status).toBe(200);
  await setDisabled(service, ada.userId, true);
  await setDisabled(service, ada.userId, true);
  expect(await ada.client.get('/auth/v1/user')).toMatchObject({
    status: 401,
    body: { error: { code: 'invalid_access_token' } },
  });
  const refreshed = await anonymous.post('/auth/v1/token?grant_type=refresh_token', {
    refresh_token: ada.refreshToken,
  });
  expect(refreshed).toMatchObject({ status: 401, body: { error: { code: 'session_revoked' } } });
  await setDisabled(service, ada.userId, false);
  const { status, body } = await signIn(anonymous, ada.email, PASSWORD);
  expect(status).toBe(200);
  expect((await anonymous.as(body.access_token).get('/auth/v1/user')).status).toBe(200);
  expect((await ada.client.get('/auth/v1/user')).status).toBe(401);
  const entries = await environment.database.query(
    `SELECT action, actor_type, details FROM audit_entries
     WHERE user_id = $1 AND action LIKE 'user.%abled' ORDER BY position`,
    [ada.userId],
  );
  expect(entries).toEqual([
    { action: 'user.disabled', actor_type: 'operator', details: { sessions_revoked: 1 } },
    { action: 'user.enabled', actor_type: 'operator', details: {} },
  ]);
});

test('recovery without a mail server is answered and recorded, and leaves nothing waiting', async () => {
  const ada = await signUp(service.url);
  for (const email of [ada.email, 'nobody@example.com']) {
    expect(await anonymous.post('/auth/v1/recover', { email })).toMatchObject({ status: 204, body: null });
  }
  const { database } = environment;
  await until(async () => (await database.query('SELECT FROM outgoing_mails')).length === 0);
  expect(await actionsOf(database, ada.userId)).toEqual([
    'user.signed_up',
    'session.opened',
    'recovery.requested',
  ]);
  expect(await database.query('SELECT FROM one_time_tokens')).toEqual([]);
});
