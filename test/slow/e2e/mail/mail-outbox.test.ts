import { Client, PASSWORD, signUp } from '../../../support/client.js';
import type { SignedUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { linkOf } from '../../../support/mail-server.js';
import { ScriptedMailServer } from '../../../support/scripted-mail-server.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { until } from '../../../support/until.js';
import { createOperator } from '../console/operator-accounts.js';

const ADMIN_TOKEN = 'the-operator-of-the-mail-outbox';
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

interface Mail {
  id: string;
  to: string;
  kind: string;
  state: string;
  attempts: number;
  answer: string | null;
  created_at: string;
  next_attempt_at: string | null;
}

let environment: TestEnvironment;
let mailServer: ScriptedMailServer;
let service: ServiceInProcess;
let operator: Client;

beforeAll(async () => {
  [environment, mailServer] = await Promise.all([createEnvironment(), ScriptedMailServer.start()]);
  service = await ServiceInProcess.start({
    ...environment.variables,
    ...mailServer.variables,
    SERVICE_ADMIN__TOKEN: ADMIN_TOKEN,
  });
  operator = new Client(service.url).as(ADMIN_TOKEN);
});

afterAll(async () => {
  await service.stop();
  await mailServer.stop();
  await environment.dispose();
});

afterEach(() => {
  mailServer.replyAsUsual();
});

async function mailsTo(email: string, more = ''): Promise<Mail[]> {
  const { body } = await operator.get<Mail[]>(`/admin/v1/mail?to=${encodeURIComponent(email)}${more}`);
  return body;
}

/** The newest mail to an address, once it is as said. */
async function mailTo(email: string, wanted: Partial<Mail>): Promise<Mail> {
  const isWanted = (mail: Mail | undefined): boolean =>
    Object.entries(wanted).every(([name, value]) => mail?.[name as keyof Mail] === value);
  let newest: Mail | undefined;
  await until(async () => {
    newest = (await mailsTo(email))[0];
    return newest !== undefined && isWanted(newest);
  });
  return newest as Mail;
}

async function endCooldowns(): Promise<void> {
  await environment.database.query(`UPDATE mail_cooldowns SET taken_at = now() - interval '61 s'`);
}

async function signUpRefused(reply: string): Promise<SignedUp> {
  mailServer.on('RCPT', () => reply);
  return await signUp(service.url);
}

test('a mail that waits is listed with the answer of the mail server, and sent at once when the operator retries it', async () => {
  const { email, userId } = await signUpRefused('451 4.7.1 greylisted, come back later');
  const waiting = await mailTo(email, { answer: '451 4.7.1 greylisted, come back later' });
  expect(waiting).toMatchObject({
    project_id: null,
    user_id: userId,
    kind: 'verification',
    state: 'waiting',
    smtp_code: 451,
    error: 'EENVELOPE 451',
    finished_at: null,
  });
  // As after many attempts, the next one is far away.
  await until(async () => {
    const postponed = await environment.database.query(
      `UPDATE outgoing_mails SET next_attempt_at = now() + interval '1 hour'
       WHERE recipient = $1 AND attempts = failed_attempt RETURNING 1`,
      [email],
    );
    return postponed.length === 1;
  });
  mailServer.replyAsUsual();
  const retried = await operator.post<Mail>(`/admin/v1/mail/${waiting.id}/retry`);
  expect(retried).toMatchObject({ status: 202, body: { id: waiting.id, state: 'waiting' } });
  const sent = await mailTo(email, { state: 'sent' });
  expect(sent).toMatchObject({
    id: waiting.id,
    answer: '250 2.0.0 message taken',
    smtp_code: 250,
    error: null,
    finished_at: expect.any(String),
    next_attempt_at: null,
  });
  expect(sent.attempts).toBeGreaterThan(1);
  const audit = await environment.database.query(
    `SELECT actor_type, details FROM audit_entries WHERE user_id = $1 AND action = 'user.mail_requested'`,
    [userId],
  );
  expect(audit).toEqual([{ actor_type: 'operator', details: { mail: 'verification' } }]);
});

test('a mail that is being sent is not sent a second time by a retry', async () => {
  let answer: (reply: string) => void = () => undefined;
  const reached = mailServer.reached['final dot'];
  mailServer.on('final dot', () => new Promise<string>((resolve) => (answer = resolve)));
  const { email } = await signUp(service.url);
  await until(() => mailServer.reached['final dot'] > reached);
  const [mail] = await mailsTo(email);
  expect(mail).toMatchObject({ state: 'waiting', attempts: 1, next_attempt_at: null });
  expect((await operator.post(`/admin/v1/mail/${mail?.id ?? ''}/retry`)).status).toBe(202);
  answer('250 2.0.0 message taken');
  expect((await mailTo(email, { state: 'sent' })).attempts).toBe(1);
  expect(mailServer.messages.filter(({ to }) => to?.[0]?.address === email)).toHaveLength(1);
});

test('a mail that failed for good is listed, and a retry sends a new one with a new link, within the limits on mails', async () => {
  const { email } = await signUpRefused('550 5.1.1 no such mailbox');
  const failed = await mailTo(email, { state: 'failed' });
  expect(failed).toMatchObject({ answer: '550 5.1.1 no such mailbox', smtp_code: 550, attempts: 1 });
  mailServer.replyAsUsual();
  const tooEarly = await operator.post(`/admin/v1/mail/${failed.id}/retry`);
  expect(tooEarly).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  await endCooldowns();
  const { status, body } = await operator.post<Mail>(`/admin/v1/mail/${failed.id}/retry`);
  expect([status, body.state, body.kind]).toEqual([202, 'waiting', 'verification']);
  expect(body.id).not.toBe(failed.id);
  const sent = await mailTo(email, { state: 'sent' });
  expect(sent.id).toBe(body.id);
  const [first] = mailServer.messages.filter(({ to }) => to?.[0]?.address === email);
  await endCooldowns();
  await operator.post(`/admin/v1/mail/${sent.id}/retry`);
  await until(() => mailServer.messages.filter(({ to }) => to?.[0]?.address === email).length === 2);
  expect(mailServer.messages.at(-1)?.messageId).not.toBe(first?.messageId);
  expect((await mailsTo(email, '&state=failed')).map(({ id }) => id)).toEqual([failed.id]);
});

test('neither the history nor the answer of the mail server contains the link or the token', async () => {
  mailServer.on('final dot', () => {
    const link = linkOf({ email: mailServer.messages.at(-1) as never });
    return `250 queued ${link.href} with ${link.searchParams.get('token') ?? ''}`;
  });
  const { email } = await signUp(service.url);
  const sent = await mailTo(email, { state: 'sent' });
  expect(sent.answer).toBe('250 queued [link] with [token]');
  const link = linkOf({ email: mailServer.messages.at(-1) as never });
  const rows = await environment.database.query('SELECT to_jsonb(mail)::text AS text FROM mail_history mail');
  expect(JSON.stringify(rows)).not.toContain(link.searchParams.get('token'));
});

test('mails are listed newest first, by pages, and found by address, state and time', async () => {
  const emails: string[] = [];
  for (let number = 0; number < 3; number += 1) emails.push((await signUp(service.url)).email);
  for (const email of emails) await mailTo(email, { state: 'sent' });
  const newest = await operator.get<Mail[]>('/admin/v1/mail?limit=2');
  expect(newest.body.map(({ to }) => to)).toEqual([emails[2], emails[1]]);
  const next = /<([^>]+)>; rel="next"/.exec(newest.headers.get('link') ?? '')?.[1] ?? '';
  const { pathname, search } = new URL(next, service.url);
  expect((await operator.get<Mail[]>(`${pathname}${search}`)).body[0]?.to).toBe(emails[0]);

  const [mail] = await mailsTo(emails[1]?.slice(0, 10).toUpperCase() ?? '');
  expect(mail?.to).toBe(emails[1]);
  expect(await mailsTo(emails[1] ?? '', '&state=waiting')).toEqual([]);
  const since = encodeURIComponent(mail?.created_at ?? '');
  const at = async (filter: string): Promise<string[]> =>
    (await operator.get<Mail[]>(`/admin/v1/mail?limit=100&${filter}`)).body.map(({ to }) => to);
  expect(await at(`since=${since}`)).toContain(emails[2]);
  expect(await at(`since=${since}`)).not.toContain(emails[0]);
  expect(await at(`until=${since}`)).toContain(emails[0]);
  expect(await at(`until=${since}`)).not.toContain(emails[2]);
  expect((await operator.get('/admin/v1/mail?state=lost')).status).toBe(400);
});

test('a mail for an address without an account leaves nothing behind', async () => {
  const email = 'nobody-at-all@example.com';
  await new Client(service.url).post('/auth/v1/recover', { email });
  await until(
    async () =>
      (await environment.database.query('SELECT FROM outgoing_mails WHERE recipient = $1', [email]))
        .length === 0,
  );
  expect(await mailsTo(email)).toEqual([]);
});

test('the addresses of a deleted user leave the outbox and its history with the account', async () => {
  const { email, client } = await signUp(service.url);
  await mailTo(email, { state: 'sent' });
  mailServer.on('RCPT', () => '451 4.7.1 greylisted');
  await new Client(service.url).post('/auth/v1/recover', { email });
  await mailTo(email, { state: 'waiting', answer: '451 4.7.1 greylisted' });
  expect(await mailsTo(email)).toHaveLength(2);
  const { status } = await client.send('DELETE', '/auth/v1/user', { password: PASSWORD });
  expect(status).toBe(204);
  const { database } = environment;
  expect(await database.query('SELECT FROM outgoing_mails WHERE recipient = $1', [email])).toEqual([]);
  expect(await database.query('SELECT FROM mail_history WHERE recipient = $1', [email])).toEqual([]);
});

test('members see no mails, and a read-only operator reads them and retries none', async () => {
  const { email, client } = await signUp(service.url);
  const { id } = await mailTo(email, { state: 'sent' });
  expect((await client.get('/admin/v1/mail')).status).toBe(401);
  expect((await client.post(`/admin/v1/mail/${id}/retry`)).status).toBe(401);
  const { accessToken } = await createOperator(
    { url: service.url, database: environment.database },
    'organization',
    'read_only',
  );
  const reader = new Client(service.url).as(accessToken);
  expect((await reader.get('/admin/v1/mail')).status).toBe(200);
  const refused = await reader.post(`/admin/v1/mail/${id}/retry`);
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'operator_read_only' } } });
  for (const unknown of [UNKNOWN_ID, 'no-id'])
    expect(await operator.post(`/admin/v1/mail/${unknown}/retry`)).toMatchObject({
      status: 404,
      body: { error: { code: 'mail_not_found' } },
    });
});
