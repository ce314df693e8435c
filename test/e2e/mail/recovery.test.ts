import { actionsOf, refresh, setDisabled, signIn } from '../../support/accounts.js';
import { PASSWORD, signUp } from '../../support/client.js';
import type { Answer, SignedUp } from '../../support/client.js';
import { tokenOf } from '../../support/mail-server.js';
import { startMailingService } from '../../support/mailing-service.js';
import type { MailingService } from '../../support/mailing-service.js';
import { until } from '../../support/until.js';

const NEW_PASSWORD = 'a wholly other password';

let running: MailingService;

beforeAll(async () => {
  running = await startMailingService();
});

afterAll(async () => {
  await running.stop();
});

/** A user whose verification mail has arrived, so that the next mail is another. */
async function settledUser(): Promise<SignedUp> {
  const user = await signUp(running.service.url);
  await running.mailServer.mailTo(user.email);
  return user;
}

async function noMailWaits(): Promise<void> {
  const { database } = running.environment;
  await until(async () => (await database.query('SELECT FROM outgoing_mails')).length === 0);
}

async function recoveryToken(email: string): Promise<string> {
  const { anonymous, mailServer } = running;
  expect((await anonymous.post('/auth/v1/recover', { email })).status).toBe(204);
  const mail = await mailServer.mailTo(email, 2);
  expect(mail.email.subject).toBe('Set a new password');
  return tokenOf(mail);
}

test('recovery sets the password, signs in, verifies the address and ends every other session', async () => {
  const { anonymous, environment } = running;
  const ada = await settledUser();
  const token = await recoveryToken(ada.email);
  const short = await anonymous.post('/auth/v1/recover/complete', { token, password: 'short' });
  expect(short).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });

  const completed = await anonymous.post<{ access_token: string; refresh_token: string }>(
    '/auth/v1/recover/complete',
    { token, password: NEW_PASSWORD },
  );
  expect(completed).toMatchObject({
    status: 200,
    body: { token_type: 'bearer', user: { id: ada.userId, email_verified: true } },
  });
  expect((await refresh(anonymous, completed.body.refresh_token)).status).toBe(200);
  expect(await refresh(anonymous, ada.refreshToken)).toMatchObject({
    status: 401,
    body: { error: { code: 'session_revoked' } },
  });
  expect((await signIn(anonymous, ada.email, PASSWORD)).status).toBe(401);
  expect((await signIn(anonymous, ada.email, NEW_PASSWORD)).status).toBe(200);
  const again = await anonymous.post('/auth/v1/recover/complete', { token, password: NEW_PASSWORD });
  expect(again).toMatchObject({ status: 400, body: { error: { code: 'invalid_token' } } });
  expect(await actionsOf(environment.database, ada.userId)).toEqual([
    'user.signed_up',
    'session.opened',
    'recovery.requested',
    'user.email_verified',
    'recovery.completed',
    'session.opened',
    'session.sign_in_refused',
    'session.opened',
    'recovery.refused',
  ]);
});

test('of two simultaneous completions one wins', async () => {
  const ada = await settledUser();
  const token = await recoveryToken(ada.email);
  const answers = await Promise.all(
    [1, 2].map((nth) =>
      running.anonymous.post('/auth/v1/recover/complete', { token, password: `${NEW_PASSWORD} ${nth}` }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test('known, unknown and disabled addresses get the same answer for the same statements, and no mail inside the request', async () => {
  const { service, anonymous, mailServer, environment } = running;
  const [ada, disabled] = [await settledUser(), await settledUser()];
  await setDisabled(service, disabled.userId, true);
  await noMailWaits();
  await mailServer.down();
  const connections = mailServer.connections;
  const seen: { answer: unknown; statements: string[] }[] = [];
  for (const email of [ada.email, 'nobody@example.com', disabled.email]) {
    let answer: Answer<unknown> | undefined;
    const statements = await service.statementsOf(async () => {
      answer = await anonymous.post('/auth/v1/recover', { email });
    });
    const headers = [...(answer?.headers.keys() ?? [])].filter((name) => name !== 'x-request-id').sort();
    // What workers do meanwhile belongs to no request.
    const own = statements.filter((sql) => sql.includes('mail_cooldowns'));
    seen.push({ answer: { status: answer?.status, body: answer?.body, headers }, statements: own });
  }
  expect(seen[0]).toMatchObject({ answer: { status: 204, body: null }, statements: [expect.any(String)] });
  expect(seen[1]).toEqual(seen[0]);
  expect(seen[2]).toEqual(seen[0]);
  expect(mailServer.connections).toBe(connections);

  await mailServer.up();
  await mailServer.mailTo(ada.email, 2);
  await noMailWaits();
  expect(mailServer.received.filter(({ to }) => to === 'nobody@example.com')).toEqual([]);
  expect(mailServer.received.filter(({ to }) => to === disabled.email)).toHaveLength(1);
  expect(await actionsOf(environment.database, disabled.userId)).toContain('recovery.request_refused');
});

test('an address gets one mail in 60 s', async () => {
  const { anonymous, mailServer, environment } = running;
  const ada = await settledUser();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => anonymous.post('/auth/v1/recover', { email: ada.email.toUpperCase() })),
  );
  expect(answers.every(({ status }) => status === 204)).toBe(true);
  await mailServer.mailTo(ada.email, 2);
  await noMailWaits();
  expect(mailServer.received.filter(({ to }) => to === ada.email)).toHaveLength(2);
  await environment.database.query(`UPDATE mail_cooldowns SET taken_at = now() - interval '61 s'`);
  await anonymous.post('/auth/v1/recover', { email: ada.email });
  await mailServer.mailTo(ada.email, 3);
});

test('while the mail server is down recovery is answered, and its mail arrives with a fresh link when it is back', async () => {
  const { anonymous, mailServer, environment } = running;
  const ada = await settledUser();
  await noMailWaits();
  await mailServer.down();
  expect((await anonymous.post('/auth/v1/recover', { email: ada.email })).status).toBe(204);
  const attempts = async (): Promise<number> =>
    (await environment.database.query<{ attempts: number }>('SELECT attempts FROM outgoing_mails'))[0]
      ?.attempts ?? 0;
  await until(async () => (await attempts()) >= 2);
  const [waiting] = await environment.database.query<{ sealed_message: Buffer; last_error: string }>(
    'SELECT sealed_message, last_error FROM outgoing_mails',
  );
  expect(waiting?.last_error).toBe('ESOCKET');
  expect(waiting?.sealed_message.toString('latin1')).not.toContain(ada.email);

  await mailServer.up();
  const token = tokenOf(await mailServer.mailTo(ada.email, 2));
  const stored = await environment.database.query<{ row: string }>(
    `SELECT row_to_json(t)::text AS row FROM one_time_tokens t`,
  );
  expect(stored.some(({ row }) => row.includes(token))).toBe(false);
  const completed = await anonymous.post('/auth/v1/recover/complete', { token, password: NEW_PASSWORD });
  expect(completed.status).toBe(200);
});

test('a mail whose wake-up was lost is sent by the next sweep', async () => {
  const { anonymous, mailServer, environment } = running;
  const ada = await settledUser();
  await noMailWaits();
  // Whoever is told of it at once finds that it is not due, and comes no second time.
  await environment.database.query(`
    CREATE FUNCTION due_later() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.next_attempt_at := now() + interval '2 s'; RETURN NEW; END $$;
    CREATE TRIGGER due_later BEFORE INSERT ON outgoing_mails FOR EACH ROW EXECUTE FUNCTION due_later()`);
  try {
    expect((await anonymous.post('/auth/v1/recover', { email: ada.email })).status).toBe(204);
    await mailServer.mailTo(ada.email, 2);
  } finally {
    await environment.database.query('DROP FUNCTION due_later CASCADE');
  }
});

test('a body that names no address is refused', async () => {
  for (const email of ['', 'no address', 7, null]) {
    expect((await running.anonymous.post('/auth/v1/recover', { email })).status).toBe(400);
  }
});
