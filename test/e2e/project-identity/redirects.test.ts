import { createHash, randomBytes } from 'node:crypto';
import { Client } from '../../support/client.js';
import type { Answer } from '../../support/client.js';
import { codeOf, MailedPage } from '../../support/mailed-page.js';
import { startMailingProjects } from '../../support/mailing-project.js';
import type { MailingProjects, ProjectSession } from '../../support/mailing-project.js';
import type { TestProject } from '../../support/project-environment.js';

const APP = 'https://app.acme.example/welcome';
const FORM = { password: 'chosen on the page', repeat: 'chosen on the page' };

let running: MailingProjects;
let project: TestProject;
let count = 0;

beforeAll(async () => {
  running = await startMailingProjects();
  project = await running.project({ redirectUrls: ['https://app.acme.example/*'] });
});

afterAll(async () => {
  await running.stop();
});

function freshAddress(): string {
  count += 1;
  return `reader-${count}@example.com`;
}

async function pageTo(email: string, mails = 1): Promise<MailedPage> {
  return new MailedPage(running.service, await running.mailServer.mailTo(email, mails));
}

async function askForMagicLink(email: string, fields: object = { redirect_to: APP }): Promise<number> {
  return (await project.anon.post('/auth/v1/magic-link', { email, ...fields })).status;
}

async function exchange(body: object, by: Client = project.anon): Promise<Answer<ProjectSession>> {
  return await by.post<ProjectSession>('/auth/v1/token', body);
}

function operator(): Client {
  return new Client(running.service.url).as(running.environment.adminToken);
}

test('a magic link signs in to the application, by a page that shows no token', async () => {
  const email = freshAddress();
  expect(await askForMagicLink(email)).toBe(200);
  const page = await pageTo(email);
  const text = await (await page.show()).text();
  expect(text).toContain('<strong><bdi>app.acme.example</bdi></strong>');
  expect(text).toContain('>Sign in</button>');
  const session = await exchange({ code: codeOf(await page.submit()) });
  expect([session.status, session.body.user.email]).toEqual([200, email]);
  // The button used the token up.
  expect((await project.anon.post('/auth/v1/verify', { token: page.token })).status).toBe(400);
});

test('the token of a magic link with a challenge signs nobody in without the verifier', async () => {
  const email = freshAddress();
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  expect(await askForMagicLink(email, { redirect_to: APP, code_challenge: challenge })).toBe(200);
  const { token } = await pageTo(email);
  for (const fields of [{}, { code_verifier: challenge }])
    expect(await project.anon.post('/auth/v1/verify', { token, ...fields })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_token' } },
    });
  const signedIn = await project.anon.post('/auth/v1/verify', { token, code_verifier: verifier });
  expect(signedIn.status).toBe(200);
});

test('an invitation leads the new user into the application, signed in', async () => {
  const email = freshAddress();
  const invite = async (redirectTo: string): Promise<number> =>
    (await project.service.post('/auth/v1/invite', { email, redirect_to: redirectTo })).status;
  expect(await invite('https://evil.example/')).toBe(400);
  expect(await invite(APP)).toBe(201);
  const session = await exchange({ code: codeOf(await (await pageTo(email)).submit(FORM)) });
  expect(session.body.user.email).toBe(email);
});

test('a dead magic link offers a new one to the same address', async () => {
  const email = freshAddress();
  await askForMagicLink(email);
  const page = await pageTo(email);
  await page.submit();
  expect(await (await page.show()).text()).toContain('Send a new link');
  await running.environment.database.query('DELETE FROM mail_cooldowns');
  expect((await page.askForNewLink()).status).toBe(200);
  const session = await exchange({ code: codeOf(await (await pageTo(email, 2)).submit()) });
  expect(session.body.user.email).toBe(email);
});

test('a dead invitation offers no new one, since whoever invited decides that', async () => {
  const email = freshAddress();
  await project.service.post('/auth/v1/invite', { email, redirect_to: APP });
  const page = await pageTo(email);
  await page.submit(FORM);
  expect(await (await page.show()).text()).not.toContain('<form');
});

test('a URL that was taken off the list is not followed, from the next request on', async () => {
  const other = await running.project({ redirectUrls: [APP] });
  const email = freshAddress();
  await other.anon.post('/auth/v1/magic-link', { email, redirect_to: APP });
  const page = await pageTo(email);
  expect(await (await page.show()).text()).toContain('app.acme.example');
  await running.allowRedirects(other, ['https://app.acme.example/elsewhere']);
  expect(await (await page.show()).text()).not.toContain('app.acme.example');
  const ended = await page.submit();
  expect([ended.status, ended.headers.get('location')]).toEqual([200, null]);
});

test('the list of one project is not that of another, nor is a code', async () => {
  const other = await running.project();
  const email = freshAddress();
  expect(await other.anon.post('/auth/v1/magic-link', { email, redirect_to: APP })).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: 'redirect_to' }] } },
  });
  await askForMagicLink(email);
  const code = codeOf(await (await pageTo(email)).submit());
  expect((await exchange({ code }, other.anon)).status).toBe(400);
  expect((await exchange({ code })).status).toBe(200);
});

test('the operator sets the list, each wrong entry of which is named with its place', async () => {
  const path = `/admin/v1/projects/${project.ref}`;
  const wrong = [APP, 'https://*.example/', 'http://app.example/', 7];
  expect(await operator().send('PATCH', path, { redirect_urls: wrong })).toMatchObject({
    status: 400,
    body: {
      error: {
        details: [{ path: 'redirect_urls[1]' }, { path: 'redirect_urls[2]' }, { path: 'redirect_urls[3]' }],
      },
    },
  });
  const list = ['https://app.acme.example/*', 'com.acme.app:/signed-in'];
  const changed = await operator().send('PATCH', path, { redirect_urls: [...list, list[0]] });
  expect([changed.status, changed.body.redirect_urls]).toEqual([200, list]);
  expect((await operator().get(path)).body.redirect_urls).toEqual(list);
  const named = await operator().send('PATCH', path, { name: 'Acme' });
  expect(named.body.redirect_urls).toEqual(list);
  const [entry] = await running.environment.database.query<{ details: Record<string, unknown> }>(
    `SELECT details FROM audit_entries WHERE action = 'project.updated' AND details ? 'redirect_urls'
       AND org_id = $1 ORDER BY position DESC LIMIT 1`,
    [project.id],
  );
  expect(entry?.details.redirect_urls).toMatchObject({ to: list });
});

test('a code is exchanged with a key of the project alone', async () => {
  const email = freshAddress();
  await askForMagicLink(email);
  const code = codeOf(await (await pageTo(email)).submit());
  const keyless = new Client(running.service.url);
  expect((await exchange({ code }, keyless)).status).toBeGreaterThanOrEqual(400);
  expect((await exchange({ code })).status).toBe(200);
});
