import { setTimeout as wait } from 'node:timers/promises';
import { Client, signUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { tokenOf } from '../../../support/mail-server.js';
import { ScriptedMailServer } from '../../../support/scripted-mail-server.js';
import type { SmtpStep } from '../../../support/scripted-mail-server.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { until } from '../../../support/until.js';

/** Longer than any limit of a request, and long enough for a claim to be renewed. */
const SLOW_MS = 12_000;
/** How far ahead a claim reaches: within a minute of a process's death its mails are taken over. */
const LEASE_MS = 30_000;
const NEW_PASSWORD = 'a wholly other password';

let environment: TestEnvironment;
let mailServer: ScriptedMailServer;
let service: ServiceInProcess;
let anonymous: Client;

beforeAll(async () => {
  [environment, mailServer] = await Promise.all([createEnvironment(), ScriptedMailServer.start()]);
  service = await ServiceInProcess.start({ ...environment.variables, ...mailServer.variables });
  anonymous = new Client(service.url);
});

afterEach(async () => {
  mailServer.replyAsUsual();
  mailServer.messages.length = 0;
  await environment.database.query('DELETE FROM outgoing_mails');
});

afterAll(async () => {
  await service.stop();
  await mailServer.stop();
  await environment.dispose();
});

interface Waiting {
  attempts: number;
  aheadMs: number;
}

async function waiting(): Promise<Waiting[]> {
  return await environment.database.query<Waiting>(
    `SELECT attempts, extract(epoch FROM next_attempt_at - now())::float8 * 1000 AS "aheadMs"
     FROM outgoing_mails ORDER BY created_at`,
  );
}

async function noMailWaits(limitMs = 60_000): Promise<void> {
  await until(async () => (await waiting()).length === 0, limitMs);
}

/** Every mail was tried that often, and none is at this moment: a claim reaches half a minute ahead, a wait seconds. */
async function betweenAttempts(attempts: number): Promise<void> {
  await until(async () =>
    (await waiting()).every((mail) => mail.attempts >= attempts && mail.aheadMs < 10_000),
  );
}

async function recover(email: string): Promise<void> {
  await environment.database.query('DELETE FROM mail_cooldowns');
  expect((await anonymous.post('/auth/v1/recover', { email })).status).toBe(204);
}

/** A user whose verification mail has arrived, and is out of the way. */
async function settledUser(): Promise<string> {
  const { email } = await signUp(service.url);
  await noMailWaits();
  mailServer.messages.length = 0;
  return email;
}

/** Recovers the account with the first mail that arrived. */
async function useLink(): Promise<void> {
  const [email] = mailServer.messages;
  const token = email === undefined ? '' : tokenOf({ email });
  const completed = await anonymous.post('/auth/v1/recover/complete', { token, password: NEW_PASSWORD });
  expect(completed.status).toBe(200);
}

test.each<[SmtpStep, string]>([
  ['greeting', '220 slow.example ESMTP'],
  ['final dot', '250 2.0.0 taken'],
])(
  'a mail server that takes 12 s for its %s gets the mail once, and the claim on the mail is renewed meanwhile',
  async (step, reply) => {
    const reached = mailServer.reached[step];
    mailServer.on(step, () => wait(SLOW_MS, reply));
    await signUp(service.url);
    await until(() => mailServer.reached[step] > reached);
    let renewals = 0;
    let lastMs = (await waiting())[0]?.aheadMs ?? 0;
    await until(async () => {
      const [mail] = await waiting();
      if (mail === undefined) return true;
      expect(mail).toMatchObject({ attempts: 1 });
      expect(mail.aheadMs).toBeLessThanOrEqual(LEASE_MS);
      if (mail.aheadMs > lastMs) renewals += 1;
      lastMs = mail.aheadMs;
      return false;
    }, 2 * SLOW_MS);
    expect(renewals).toBeGreaterThanOrEqual(1);
    expect(mailServer.messages).toHaveLength(1);
  },
);

test('every attempt at a mail sends the same message with the same link, which works', async () => {
  let refusals = 3;
  mailServer.on('final dot', () => (refusals-- > 0 ? '451 4.3.0 try later' : '250 2.0.0 taken'));
  await signUp(service.url);
  await noMailWaits(30_000);
  expect(mailServer.messages).toHaveLength(4);
  const tokens = mailServer.messages.map((email) => tokenOf({ email }));
  expect(new Set(tokens).size).toBe(1);
  expect(new Set(mailServer.messages.map(({ messageId }) => messageId)).size).toBe(1);
  expect(mailServer.messages[0]?.messageId).toMatch(/^<[0-9a-f-]{36}@example\.org>$/);
  expect((await anonymous.post('/auth/v1/verify', { token: tokens[0] })).status).toBe(200);
});

test.each([
  ['expired', `UPDATE one_time_tokens SET expires_at = now() - interval '1 s'`],
  ['was pruned', 'DELETE FROM one_time_tokens'],
])(
  'a link that %s while its mail waited works once the mail arrives',
  async (_, change) => {
    const email = await settledUser();
    mailServer.on('RCPT', () => '451 4.3.0 try later');
    await recover(email);
    await betweenAttempts(2);
    await environment.database.query(change);
    mailServer.replyAsUsual();
    await noMailWaits(30_000);
    expect(mailServer.messages).toHaveLength(1);
    await useLink();
  },
  60_000,
);

test('a mail that arrived although its server refused it is not sent again once its link was used', async () => {
  const email = await settledUser();
  mailServer.on('final dot', () => '451 4.3.0 try later');
  await recover(email);
  await until(() => mailServer.messages.length > 0);
  await useLink();
  const sent = mailServer.messages.length;
  await noMailWaits(30_000);
  expect(mailServer.messages.length - sent).toBeLessThanOrEqual(1);
  expect(new Set(mailServer.messages.map((each) => tokenOf({ email: each }))).size).toBe(1);
});

test('of two recovery mails that wait for the mail server, the newer one alone is sent, with a link that works', async () => {
  const email = await settledUser();
  mailServer.on('RCPT', () => '451 4.3.0 try later');
  await recover(email);
  await betweenAttempts(1);
  await recover(email);
  await betweenAttempts(1);
  mailServer.replyAsUsual();
  await noMailWaits(30_000);
  expect(mailServer.messages).toHaveLength(1);
  await useLink();
});
