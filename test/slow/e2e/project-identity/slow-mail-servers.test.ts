import { randomBytes } from 'node:crypto';
import { mailSettings, startMailingProjects } from '../../../support/mailing-project.js';
import type { MailingProjects } from '../../../support/mailing-project.js';
import type { TestProject } from '../../../support/project-environment.js';
import { ScriptedMailServer } from '../../../support/scripted-mail-server.js';
import { until } from '../../../support/until.js';

const MAILS = 40;
/** Most that one project's mail server is sent at one time. */
const AT_ONCE = 4;

let running: MailingProjects;
let slowServer: ScriptedMailServer;
let slow: TestProject;
let quick: TestProject;

beforeAll(async () => {
  [running, slowServer] = await Promise.all([startMailingProjects(), ScriptedMailServer.start()]);
  [slow, quick] = [await running.project({ mail: false }), await running.project()];
  const settings = { ...mailSettings(running.mailServer), port: slowServer.port };
  expect((await slow.service.send('PUT', '/auth/v1/mail', settings)).status).toBe(200);
});

afterAll(async () => {
  await running.stop();
  await slowServer.stop();
});

function freshAddress(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

it('mails of one project leave while the mail server of another keeps all of its own waiting', async () => {
  const letOn: (() => void)[] = [];
  slowServer.on(
    'greeting',
    () =>
      new Promise((resolve) =>
        letOn.push(() => {
          resolve('220 at last');
        }),
      ),
  );
  for (let mail = 0; mail < MAILS; mail += 1)
    await slow.anon.post('/auth/v1/magic-link', { email: freshAddress() });
  await until(() => slowServer.open === AT_ONCE);
  const email = freshAddress();
  await quick.anon.post('/auth/v1/magic-link', { email });
  await running.mailServer.mailTo(email);
  expect(slowServer.reached.greeting).toBe(AT_ONCE);
  slowServer.replyAsUsual();
  for (const answer of letOn) answer();
  await until(() => slowServer.messages.length === MAILS, 30_000);
  await until(
    async () => (await running.environment.database.query('SELECT FROM outgoing_mails')).length === 0,
  );
  expect(slowServer.messages).toHaveLength(MAILS);
});

it('an invitation whose mail server does not answer in time is 502 and makes no user', async () => {
  slowServer.on('final dot', () => new Promise(() => undefined));
  const email = freshAddress();
  const startedAt = Date.now();
  const answer = await slow.service.post('/auth/v1/invite', { email });
  expect(answer).toMatchObject({ status: 502, body: { error: { code: 'mail_failed' } } });
  expect(Date.now() - startedAt).toBeLessThan(35_000);
  expect(await running.environment.database.query('SELECT FROM users WHERE email = $1', [email])).toEqual([]);
});
