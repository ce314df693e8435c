import { signUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { fetch } from '../../../support/fetch.js';
import { tokenOf } from '../../../support/mail-server.js';
import { ScriptedMailServer } from '../../../support/scripted-mail-server.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';

/** Well under the half minute that a program may take to end. */
const AT_ONCE_MS = 8000;

let environment: TestEnvironment;
let mailServer: ScriptedMailServer;
let api: ServiceInProcess;
const workers: ServiceProcess[] = [];

beforeAll(async () => {
  [environment, mailServer] = await Promise.all([createEnvironment(), ScriptedMailServer.start()]);
  const variables = { ...environment.variables, ...mailServer.variables, SERVICE_ROLE: 'api' };
  api = await ServiceInProcess.start(variables);
});

afterEach(async () => {
  mailServer.replyAsUsual();
  await Promise.all(workers.splice(0).map((worker) => worker.stop('SIGKILL')));
  mailServer.messages.length = 0;
  await environment.database.query('DELETE FROM outgoing_mails');
});

afterAll(async () => {
  await api.stop();
  await mailServer.stop();
  await environment.dispose();
});

async function startWorker(more: Record<string, string> = {}): Promise<ServiceProcess> {
  const worker = await ServiceProcess.start({
    ...environment.variables,
    ...mailServer.variables,
    ...more,
    SERVICE_ROLE: 'worker',
  });
  workers.push(worker);
  return worker;
}

/** Asks for a mail that comes to the step and no further, until it is let on. */
async function heldAt(step: 'greeting' | 'final dot', reply: string): Promise<() => void> {
  const before = mailServer.reached[step];
  let letOn: () => void = () => undefined;
  mailServer.on(
    step,
    () =>
      new Promise(
        (resolve) =>
          (letOn = () => {
            resolve(reply);
          }),
      ),
  );
  await signUp(api.url);
  await until(() => mailServer.reached[step] > before);
  return () => {
    letOn();
  };
}

async function aheadSecs(): Promise<number[]> {
  const rows = await environment.database.query<{ secs: number }>(
    'SELECT extract(epoch FROM next_attempt_at - now())::float8 AS secs FROM outgoing_mails',
  );
  return rows.map(({ secs }) => secs);
}

async function noMailWaits(): Promise<void> {
  await until(async () => (await aheadSecs()).length === 0, 30_000);
}

test('the mail of a worker that was killed is sent by another within a minute, with the same link', async () => {
  const killed = await startWorker();
  await heldAt('final dot', '250 2.0.0 taken');
  await killed.stop('SIGKILL');
  mailServer.replyAsUsual();
  const [secs = Infinity] = await aheadSecs();
  expect(secs).toBeLessThanOrEqual(30);
  // What is left of the claim need not be waited for; after it comes the next look at what is due, every 15 s.
  await environment.database.query('UPDATE outgoing_mails SET next_attempt_at = now()');
  await startWorker();
  await noMailWaits();
  expect(mailServer.messages).toHaveLength(2);
  expect(new Set(mailServer.messages.map((email) => tokenOf({ email }))).size).toBe(1);
  expect(new Set(mailServer.messages.map(({ messageId }) => messageId)).size).toBe(1);
});

test('a worker that ends gives a mail back that its server cannot have yet, and the mail is sent once', async () => {
  const ending = await startWorker();
  await heldAt('greeting', '220 scripted.example ESMTP');
  const endsAt = Date.now();
  expect(await ending.stop()).toBe(0);
  expect(Date.now() - endsAt).toBeLessThan(AT_ONCE_MS);
  expect((await aheadSecs()).map((secs) => secs <= 0)).toEqual([true]);
  mailServer.replyAsUsual();
  await startWorker();
  await noMailWaits();
  expect(mailServer.messages).toHaveLength(1);
});

test('a worker that ends waits for the reply to a message that its server has, and sends it once', async () => {
  const ending = await startWorker();
  const letOn = await heldAt('final dot', '250 2.0.0 taken');
  ending.signal('SIGTERM');
  await until(async () => (await fetch(`${ending.url ?? ''}/health/ready`)).status === 503);
  letOn();
  expect(await ending.exit()).toBe(0);
  expect(await aheadSecs()).toEqual([]);
  expect(mailServer.messages).toHaveLength(1);
});

test('a worker ends within its drain time, and keeps the mail, when the mail server never replies', async () => {
  const ending = await startWorker({ SERVICE_SERVER__DRAIN_SECS: '1' });
  await heldAt('final dot', '250 2.0.0 taken');
  const endsAt = Date.now();
  expect(await ending.stop()).toBe(0);
  expect(Date.now() - endsAt).toBeLessThan(AT_ONCE_MS);
  expect(await aheadSecs()).toHaveLength(1);
});
