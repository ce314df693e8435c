import { randomBytes } from 'node:crypto';
import { PASSWORD } from '../../../support/client.js';
import type { Answer } from '../../../support/client.js';
import { PUBLIC_URL, startMailingProjects } from '../../../support/mailing-project.js';
import type { MailingProjects } from '../../../support/mailing-project.js';
import type { TestProject } from '../../../support/project-environment.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';

/** How many invitations of a project may wait. */
const LIMIT = 3;
const LIMITED = { SERVICE_LIMITS__PENDING_INVITATIONS: String(LIMIT) };

let running: MailingProjects;
let project: TestProject;
let other: ServiceProcess;

beforeAll(async () => {
  running = await startMailingProjects(LIMITED);
  project = await running.project();
  other = await ServiceProcess.start({
    ...running.environment.variables,
    ...LIMITED,
    SERVICE_IDENTITY__PUBLIC_URL: PUBLIC_URL,
    SERVICE_ROLE: 'api',
  });
});

afterAll(async () => {
  await other.stop();
  await running.stop();
});

function freshAddress(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

async function noMailWaits(): Promise<void> {
  await until(
    async () => (await running.environment.database.query('SELECT FROM outgoing_mails')).length === 0,
  );
}

function mailsTo(email: string): number {
  return running.mailServer.received.filter(({ to }) => to === email).length;
}

function shown({ status, body, headers }: Answer<unknown>): unknown {
  return { status, body, headers: [...headers.keys()].filter((name) => name !== 'x-request-id').sort() };
}

describe.each(['magic-link', 'recover'])('%s', (path) => {
  const url = `/auth/v1/${path}`;

  it('answers a known, an unknown and a rate-limited address alike, with the same statement and no mail inside', async () => {
    const known = freshAddress();
    await project.anon.post('/auth/v1/signup', { email: known, password: PASSWORD });
    const limited = freshAddress();
    await project.anon.post(url, { email: limited });
    await noMailWaits();
    await running.mailServer.down();
    const { connections } = running.mailServer;
    const seen: { answer: unknown; statements: string[] }[] = [];
    for (const email of [known, freshAddress(), limited]) {
      let answer: unknown;
      const statements = await running.service.statementsOf(async () => {
        answer = shown(await project.anon.post(url, { email }));
      });
      seen.push({ answer, statements: statements.filter((sql) => sql.includes('mail_cooldowns')) });
    }
    expect(seen[0]).toMatchObject({
      answer: { status: 200, body: { ok: true } },
      statements: [expect.any(String)],
    });
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    expect(running.mailServer.connections).toBe(connections);
    await running.mailServer.up();
    await running.mailServer.mailTo(known, 1, 40_000);
    await until(async () => {
      await running.environment.database.query('UPDATE outgoing_mails SET next_attempt_at = now()');
      return (await running.environment.database.query('SELECT FROM outgoing_mails')).length === 0;
    }, 40_000);
  });

  it('is mailed once when two instances are asked at once, and again after 60 s', async () => {
    const email = freshAddress();
    await project.anon.post('/auth/v1/signup', { email, password: PASSWORD });
    const answers = await Promise.all(
      [running.service.url, other.url ?? ''].flatMap((at) =>
        [1, 2].map(() => project.anon.at(at).post(url, { email })),
      ),
    );
    expect(answers.every(({ status, body }) => status === 200 && body.ok === true)).toBe(true);
    await running.mailServer.mailTo(email);
    await noMailWaits();
    expect(mailsTo(email)).toBe(1);
    await running.environment.database.query(`UPDATE mail_cooldowns SET taken_at = now() - interval '61 s'`);
    await project.anon.post(url, { email });
    await running.mailServer.mailTo(email, 2);
  });

  it('of the same address in another project has a turn of its own', async () => {
    const neighbour = await running.project();
    const email = freshAddress();
    for (const each of [project, neighbour]) {
      await each.anon.post('/auth/v1/signup', { email, password: PASSWORD });
      await each.anon.post(url, { email });
    }
    await running.mailServer.mailTo(email, 2);
  });
});

it('invitations of one project that wait are never more than the limit, however many are made at once at two instances', async () => {
  const inviting = await running.project();
  const invite = (at: string | null): Promise<Answer> =>
    inviting.service.at(at ?? '').post('/auth/v1/invite', { email: freshAddress() });
  const answers = await Promise.all(
    [1, 2, 3, 4].flatMap(() => [invite(running.service.url), invite(other.url)]),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMIT);
  for (const { body } of answers.filter(({ status }) => status !== 201)) {
    const hint = expect.stringContaining('limits.pending_invitations') as string;
    expect(body).toMatchObject({ error: { code: 'limit_reached', status: 403, hint } });
  }
  const pending = `UPDATE project_invitations SET expires_at = now() WHERE user_id =
    (SELECT user_id FROM project_invitations JOIN users ON users.id = user_id WHERE users.realm_id = $1 LIMIT 1)`;
  await running.environment.database.query(pending, [inviting.id]);
  expect((await invite(other.url)).status).toBe(201);
  expect((await invite(running.service.url)).status).toBe(403);
  expect(
    (await (await running.project()).service.post('/auth/v1/invite', { email: freshAddress() })).status,
  ).toBe(201);
});

it('a recovery mail for an unknown address is not sent, and makes no user', async () => {
  const email = freshAddress();
  await project.anon.post('/auth/v1/recover', { email });
  await noMailWaits();
  expect(mailsTo(email)).toBe(0);
  expect(await running.environment.database.query('SELECT FROM users WHERE email = $1', [email])).toEqual([]);
});

it('without mail settings both answer as always, send nothing and create no user', async () => {
  const mute = await running.project({ mail: false });
  const email = freshAddress();
  for (const path of ['magic-link', 'recover'])
    expect(await mute.anon.post(`/auth/v1/${path}`, { email })).toMatchObject({
      status: 200,
      body: { ok: true },
    });
  await noMailWaits();
  expect(mailsTo(email)).toBe(0);
  expect(await running.environment.database.query('SELECT FROM users WHERE email = $1', [email])).toEqual([]);
});
