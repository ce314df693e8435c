import { actionsOf, setDisabled, signIn } from '../../support/accounts.js';
import { Client, PASSWORD, signUp } from '../../support/client.js';
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
