import { actionsOf } from '../../support/accounts.js';
import { signUp } from '../../support/client.js';
import { linkOf, tokenOf } from '../../support/mail-server.js';
import { startMailingService } from '../../support/mailing-service.js';
import type { MailingService } from '../../support/mailing-service.js';
import { until } from '../../support/until.js';

let running: MailingService;

beforeAll(async () => {
  running = await startMailingService();
});

afterAll(async () => {
  await running.stop();
});

test('sign-up sends a mail with a link under the listening address, whose token proves the address once', async () => {
  const { service, mailServer, anonymous, environment } = running;
  const ada = await signUp(service.url);
  const mail = await mailServer.mailTo(ada.email);
  expect(mail.from).toBe('service@example.org');
  expect(mail.email.subject).toBe('Confirm your e-mail address');
  expect(linkOf(mail).href).toMatch(new RegExp(`^${service.url}/auth/v1/pages/verify\\?token=[\\w-]{43}$`));

  const body = { token: tokenOf(mail) };
  const verified = await anonymous.post('/auth/v1/verify', body);
  expect(verified).toMatchObject({
    status: 200,
    body: { user: { id: ada.userId, email: ada.email, email_verified: true } },
  });
  const again = await anonymous.post('/auth/v1/verify', body);
  expect(again).toMatchObject({ status: 400, body: { error: { code: 'invalid_token' } } });
  expect(await actionsOf(environment.database, ada.userId)).toEqual([
    'user.signed_up',
    'session.opened',
    'user.email_verified',
    'user.email_verification_refused',
  ]);
});

test('of two simultaneous uses of one token, one wins', async () => {
  const { service, mailServer, anonymous } = running;
  for (let round = 0; round < 10; round += 1) {
    const ada = await signUp(service.url);
    const token = tokenOf(await mailServer.mailTo(ada.email));
    const answers = await Promise.all([1, 2].map(() => anonymous.post('/auth/v1/verify', { token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  }
});

/** How many have been sent to an address, once none waits any more. */
async function mailsTo(address: string): Promise<number> {
  const { environment, mailServer } = running;
  await until(async () => (await environment.database.query('SELECT FROM outgoing_mails')).length === 0);
  return mailServer.received.filter(({ to }) => to === address).length;
}

test('resend voids the older link, sends once in 60 s from sign-up on, and says 204 whatever it did', async () => {
  const { service, mailServer, anonymous, environment } = running;
  const ada = await signUp(service.url);
  const first = tokenOf(await mailServer.mailTo(ada.email));
  expect((await ada.client.post('/auth/v1/verify/resend')).status).toBe(204);
  expect(await mailsTo(ada.email)).toBe(1);
  await environment.database.query(`UPDATE mail_cooldowns SET taken_at = now() - interval '61 s'`);
  expect((await ada.client.post('/auth/v1/verify/resend')).status).toBe(204);
  const second = tokenOf(await mailServer.mailTo(ada.email, 2));
  expect((await ada.client.post('/auth/v1/verify/resend')).status).toBe(204);
  expect(await mailsTo(ada.email)).toBe(2);

  expect((await anonymous.post('/auth/v1/verify', { token: first })).status).toBe(400);
  expect((await anonymous.post('/auth/v1/verify', { token: second })).status).toBe(200);
  await environment.database.query(`UPDATE mail_cooldowns SET taken_at = now() - interval '61 s'`);
  expect((await ada.client.post('/auth/v1/verify/resend')).status).toBe(204);
  expect(await mailsTo(ada.email)).toBe(2);
  expect((await anonymous.post('/auth/v1/verify/resend')).status).toBe(401);
});

test('a token is good for its purpose, its time and its address alone', async () => {
  const { service, mailServer, anonymous, environment } = running;
  const ada = await signUp(service.url);
  const token = tokenOf(await mailServer.mailTo(ada.email));
  const refusal = { status: 400, body: { error: { code: 'invalid_token' } } };
  const recovery = { token, password: 'another long password' };
  expect(await anonymous.post('/auth/v1/recover/complete', recovery)).toMatchObject(refusal);
  expect((await anonymous.as(token).get('/auth/v1/user')).status).toBe(401);

  const { database } = environment;
  await database.query(`UPDATE one_time_tokens SET email = 'old@example.com' WHERE user_id = $1`, [
    ada.userId,
  ]);
  expect(await anonymous.post('/auth/v1/verify', { token })).toMatchObject(refusal);
  await database.query(
    `UPDATE one_time_tokens SET email = $2, expires_at = now() - interval '1 s' WHERE user_id = $1`,
    [ada.userId, ada.email],
  );
  expect(await anonymous.post('/auth/v1/verify', { token })).toMatchObject(refusal);
  await database.query(`UPDATE one_time_tokens SET expires_at = now() + interval '1 hour'`);
  expect((await anonymous.post('/auth/v1/verify', { token })).status).toBe(200);
});
