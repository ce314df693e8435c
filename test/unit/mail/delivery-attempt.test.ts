import { TenantSmtp, DeliveryAttempt } from '../../../src/platform/mail/index.js';
import type { MailServer } from '../../../src/platform/mail/index.js';
import { OUTBOX_LIMITS, REQUEST_LIMITS } from '../../../src/platform/mail/mail-server.js';
import { ScriptedMailServer } from '../../support/scripted-mail-server.js';
import { until } from '../../support/until.js';
import { load } from '../config/loading.js';

const MINUTE_MS = 60_000;
const MAIL = { subject: 'Hello', text: 'Hello.', html: '<p>Hello.</p>' };

let scripted: ScriptedMailServer;
let server: MailServer;
const servers = new TenantSmtp(load({ SERVICE_AUTH__PRIVATE_MAIL_HOSTS: 'true' }));

beforeAll(async () => {
  scripted = await ScriptedMailServer.start();
  const { port } = scripted;
  server = { host: '127.0.0.1', port, user: null, password: null, from: 'A <a@example.org>', tls: 'none' };
});

afterEach(() => {
  scripted.replyAsUsual();
});

afterAll(async () => {
  await scripted.stop();
});

test('the outbox gives a mail server no less time than RFC 5321 demands', () => {
  expect(OUTBOX_LIMITS.greetingMs).toBeGreaterThanOrEqual(5 * MINUTE_MS);
  expect(OUTBOX_LIMITS.connectionMs).toBeGreaterThanOrEqual(OUTBOX_LIMITS.greetingMs);
  // Of the replies the one to the final dot may take longest.
  expect(OUTBOX_LIMITS.replyMs).toBeGreaterThanOrEqual(10 * MINUTE_MS);
  const [mail, rcpt, data, block, finalDot] = [5, 5, 2, 3, 10];
  const dialogueMs = (mail + rcpt + data + block + finalDot) * MINUTE_MS;
  expect(OUTBOX_LIMITS.totalMs).toBeGreaterThanOrEqual(OUTBOX_LIMITS.connectionMs + dialogueMs);
});

test('a message that takes longer than the limit of the whole fails, and its connection closes', async () => {
  scripted.on('MAIL', () => new Promise(() => undefined));
  const attempt = DeliveryAttempt.inRequest({ ...REQUEST_LIMITS, totalMs: 200 });
  await expect(servers.send(server, 'b@example.com', MAIL, attempt)).rejects.toMatchObject({
    reason: 'timeout',
    isFinal: false,
  });
  expect(attempt.isStopped).toBe(false);
  await until(() => scripted.open === 0);
});

test('a delivery attempt that is stopped before the message is written closes its connection, and sends nothing', async () => {
  scripted.on('DATA', () => new Promise(() => undefined));
  const { DATA: reached } = scripted.reached;
  const attempt = DeliveryAttempt.fromOutbox('stopped');
  const sent = servers.send(server, 'b@example.com', MAIL, attempt);
  await until(() => scripted.reached.DATA > reached);
  expect(attempt.isWritten).toBe(false);
  attempt.stop();
  await expect(sent).rejects.toMatchObject({ reason: 'stopped' });
  await until(() => scripted.open === 0);
  expect(scripted.messages).toEqual([]);
});

test('a delivery attempt knows that the message is written before the server replies to it', async () => {
  let reply: () => void = () => undefined;
  scripted.on(
    'final dot',
    () =>
      new Promise(
        (resolve) =>
          (reply = () => {
            resolve('250 taken');
          }),
      ),
  );
  const { 'final dot': reached } = scripted.reached;
  const attempt = DeliveryAttempt.fromOutbox('0198c0de');
  const sent = servers.send(server, 'b@example.com', MAIL, attempt);
  await until(() => scripted.reached['final dot'] > reached);
  expect(attempt.isWritten).toBe(true);
  reply();
  await sent;
  expect(scripted.messages.at(-1)?.messageId).toBe('<0198c0de@example.org>');
});
