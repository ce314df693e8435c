import { signUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ScriptedMailServer } from '../../../support/scripted-mail-server.js';
import type { SmtpStep } from '../../../support/scripted-mail-server.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { until } from '../../../support/until.js';

let environment: TestEnvironment;
let mailServer: ScriptedMailServer;
let service: ServiceInProcess;

beforeAll(async () => {
  [environment, mailServer] = await Promise.all([createEnvironment(), ScriptedMailServer.start()]);
  service = await ServiceInProcess.start({ ...environment.variables, ...mailServer.variables });
});

afterAll(async () => {
  await service.stop();
  await mailServer.stop();
  await environment.dispose();
});

afterEach(async () => {
  mailServer.replyAsUsual();
  await environment.database.query('DELETE FROM outgoing_mails');
});

interface Waiting {
  attempts: number;
  last_error: string | null;
}

async function waiting(): Promise<Waiting[]> {
  return await environment.database.query<Waiting>('SELECT attempts, last_error FROM outgoing_mails');
}

async function noMailWaits(): Promise<void> {
  await until(async () => (await waiting()).length === 0);
}

test.each<[SmtpStep, string]>([
  ['RCPT', '550 5.1.1 no such mailbox'],
  ['DATA', '554 5.5.1 no valid recipients'],
  ['final dot', '554 5.7.1 the message looks like spam'],
  ['final dot', '552 5.3.4 the message is too large'],
])('a mail that the server refuses at %s with "%s" is given up at once', async (step, reply) => {
  const reached = mailServer.reached[step];
  mailServer.on(step, () => reply);
  await signUp(service.url);
  await until(() => mailServer.reached[step] > reached);
  await noMailWaits();
  expect(mailServer.reached[step]).toBe(reached + 1);
});

test.each<[SmtpStep, string, string]>([
  ['MAIL', '550 5.7.1 the sender is not known', 'EENVELOPE 550'],
  ['RCPT', '451 4.7.1 greylisted', 'EENVELOPE 451'],
  ['RCPT', '503 5.5.1 bad sequence of commands', 'EENVELOPE 503'],
  ['DATA', '503 5.5.1 bad sequence of commands', 'EENVELOPE 503'],
  ['DATA', '451 4.3.0 try later', 'EENVELOPE 451'],
  ['final dot', '503 5.5.1 bad sequence of commands', 'EMESSAGE 503'],
  ['final dot', '451 4.3.0 try later', 'EMESSAGE 451'],
])('a mail that the server refuses at %s with "%s" is tried again', async (step, reply, reason) => {
  const sent = mailServer.messages.length;
  mailServer.on(step, () => reply);
  const { email } = await signUp(service.url);
  await until(async () => (await waiting())[0]?.last_error === reason);
  mailServer.replyAsUsual();
  await noMailWaits();
  expect(mailServer.messages.length).toBeGreaterThan(sent);
  expect(mailServer.messages.at(-1)?.to).toEqual([{ address: email, name: '' }]);
});

test('a mail says that a program wrote it, so that no autoresponder answers', async () => {
  await signUp(service.url);
  await noMailWaits();
  expect(mailServer.messages.at(-1)?.headers).toContainEqual(
    expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
  );
});
