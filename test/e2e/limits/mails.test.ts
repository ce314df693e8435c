import { randomBytes } from 'node:crypto';
import { PASSWORD, signUp, signUpOwner } from '../../support/client.js';
import type { Answer, Client } from '../../support/client.js';
import { startMailingProjects } from '../../support/mailing-project.js';
import type { MailingProjects, ProjectSession } from '../../support/mailing-project.js';
import { startMailingService } from '../../support/mailing-service.js';
import type { MailingService } from '../../support/mailing-service.js';
import type { OpenDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';
import { expectLimited, tally } from '../../slow/e2e/limits/callers.js';

const freshAddress = (): string => `${randomBytes(6).toString('hex')}@example.com`;
const ADMIN_TOKEN = 'the-operator-of-these-mails';
const LIMITS = { SERVICE_LIMITS__MAILS_PER_RECIPIENT: '4', SERVICE_LIMITS__MAILS_PER_SENDER: '6' };

/** As if a minute had passed since the last mail. */
async function passAMinute(database: OpenDatabase): Promise<void> {
  await database.query(`UPDATE mail_cooldowns SET taken_at = now() - interval '61 s'`);
}

async function passADay(database: OpenDatabase): Promise<void> {
  await passAMinute(database);
  await database.query(`UPDATE mail_counts SET since = now() - interval '25 h'`);
}

async function nothingWaits(database: OpenDatabase): Promise<void> {
  await until(async () => (await database.query('SELECT FROM outgoing_mails')).length === 0);
}

/** Each time causes a notice, more of them than the limit. */
async function setPasswordOften(database: OpenDatabase, manager: Client, path: string): Promise<void> {
  for (let time = 0; time < 5; time += 1) {
    await passAMinute(database);
    const set = await manager.send('PUT', path, { password: `a wholly other password ${time}` });
    expect(set.status).toBe(204);
  }
  await nothingWaits(database);
}

describe('mails of organizations', () => {
  let running: MailingService;

  beforeAll(async () => {
    running = await startMailingService({ ...LIMITS, SERVICE_ADMIN__TOKEN: ADMIN_TOKEN });
  });

  afterAll(async () => {
    await running.stop();
  });

  const mailsTo = (address: string): number =>
    running.mailServer.received.filter(({ to }) => to === address).length;

  async function inviter(): Promise<(email: string) => Promise<Answer>> {
    const { client, slug } = await signUpOwner(running.service.url);
    return (email) => client.post(`/auth/v1/orgs/${slug}/invitations`, { email, role: 'member' });
  }

  it('invite one address once in a minute, from whichever organizations, however many ask at once', async () => {
    const email = freshAddress();
    const inviters = await Promise.all([inviter(), inviter(), inviter()]);
    const answers = await Promise.all([...inviters, ...inviters].map((invite) => invite(email)));
    expect(tally(answers)).toEqual({ '201 ok': 1, '429 rate_limited': 5 });
    const refused = answers.find(({ status }) => status === 429) as Answer;
    expectLimited(refused, 'mail_interval_secs');
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(mailsTo(email)).toBe(1);
    const pending = await running.environment.database.query('SELECT FROM invitations WHERE email = $1', [
      email,
    ]);
    expect(pending).toHaveLength(1);
  });

  it('are as many a day to one address as the setting says, of all kinds, and asking tells nothing of it', async () => {
    const { database } = running.environment;
    const { email } = await signUp(running.service.url);
    const invite = await inviter();
    const other = await inviter();
    await passAMinute(database);
    expect((await invite(email)).status).toBe(201);
    for (let time = 0; time < 5; time += 1) {
      await passAMinute(database);
      expect((await running.anonymous.post('/auth/v1/recover', { email })).status).toBe(204);
    }
    await nothingWaits(database);
    expect(mailsTo(email)).toBe(4);
    await passAMinute(database);
    const refused = await other(email);
    expectLimited(refused, 'mails_per_recipient');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
    await passADay(database);
    expect((await other(email)).status).toBe(201);
    expect(mailsTo(email)).toBe(5);
  });

  it('that others request leave an account its notices', async () => {
    const { database } = running.environment;
    const { email, userId } = await signUp(running.service.url);
    const invite = await inviter();
    for (let time = 0; time < 5; time += 1) {
      await passAMinute(database);
      await invite(email);
      await running.anonymous.post('/auth/v1/recover', { email });
      await nothingWaits(database);
    }
    expect(mailsTo(email)).toBe(4);
    await setPasswordOften(database, running.anonymous.as(ADMIN_TOKEN), `/admin/v1/users/${userId}/password`);
    expect(mailsTo(email)).toBe(8);
  });

  it('invite as many addresses a day from one organization as the setting says', async () => {
    const invite = await inviter();
    const answers = await Promise.all(Array.from({ length: 8 }, () => invite(freshAddress())));
    expect(tally(answers)).toEqual({ '201 ok': 6, '429 rate_limited': 2 });
    expectLimited(await invite(freshAddress()), 'mails_per_sender');
    expect((await (await inviter())(freshAddress())).status).toBe(201);
  });

  it('that the mail server does not take are not counted', async () => {
    const email = freshAddress();
    const invite = await inviter();
    await running.mailServer.down();
    for (let time = 0; time < 3; time += 1)
      expect(await invite(email)).toMatchObject({ status: 201, body: { emailed: false } });
    await running.mailServer.up();
    expect(await invite(email)).toMatchObject({ status: 201, body: { emailed: true } });
  });
});

describe('mails of projects', () => {
  let running: MailingProjects;

  beforeAll(async () => {
    running = await startMailingProjects(LIMITS);
  });

  afterAll(async () => {
    await running.stop();
  });

  it('are limited by recipient and by project, and of each project for itself', async () => {
    const { database } = running.environment;
    const project = await running.project();
    const { service, anon } = project;
    const invite = (email: string, by: Client = service): Promise<Answer> =>
      by.post('/auth/v1/invite', { email });
    const answers: Answer[] = [];
    for (let time = 0; time < 7; time += 1) answers.push(await invite(freshAddress()));
    expect(tally(answers)).toEqual({ '201 ok': 6, '429 rate_limited': 1 });
    expectLimited(answers.at(-1) as Answer, 'mails_per_sender');
    // What was refused left nobody behind.
    const users = await database.query('SELECT FROM users WHERE realm_id = $1', [project.id]);
    expect(users).toHaveLength(6);

    const email = freshAddress();
    for (let time = 0; time < 6; time += 1) {
      expect((await anon.post('/auth/v1/magic-link', { email })).status).toBe(200);
      await passAMinute(database);
    }
    await nothingWaits(database);
    const mails = (): number => running.mailServer.received.filter(({ to }) => to === email).length;
    expect(mails()).toBe(4);
    expectLimited(await service.post('/auth/v1/mail/test', { to: email }), 'mails_per_recipient');
    const other = await running.project();
    expect((await other.service.post('/auth/v1/mail/test', { to: email })).status).toBe(204);
    expect(mails()).toBe(5);
    const magicLink = (): Promise<Answer> => other.anon.post('/auth/v1/magic-link', { email });
    expect(tally(await Promise.all([magicLink(), magicLink(), magicLink()]))).toEqual({ '200 ok': 3 });
    await nothingWaits(database);
    expect(mails()).toBe(6);
  });

  it('that others request leave an account its notices', async () => {
    const { database } = running.environment;
    const { service, anon } = await running.project();
    const email = freshAddress();
    const { body } = await service.post<ProjectSession>('/auth/v1/signup', { email, password: PASSWORD });
    for (let time = 0; time < 5; time += 1) {
      await passAMinute(database);
      await anon.post('/auth/v1/recover', { email });
      await anon.post('/auth/v1/magic-link', { email });
      await nothingWaits(database);
    }
    const mails = (): number => running.mailServer.received.filter(({ to }) => to === email).length;
    expect(mails()).toBe(4);
    await setPasswordOften(database, service, `/auth/v1/users/${body.user.id}/password`);
    expect(mails()).toBe(8);
  });
});
