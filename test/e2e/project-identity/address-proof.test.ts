import { randomBytes } from 'node:crypto';
import { PASSWORD } from '../../support/client.js';
import type { Answer } from '../../support/client.js';
import { tokenOf } from '../../support/mail-server.js';
import { PUBLIC_URL, startMailingProjects } from '../../support/mailing-project.js';
import type { MailingProjects, ProjectSession } from '../../support/mailing-project.js';
import type { TestProject } from '../../support/project-environment.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

const CHOSEN = 'chosen by who reads the mail';

let running: MailingProjects;
let project: TestProject;
let other: ServiceProcess;

beforeAll(async () => {
  running = await startMailingProjects();
  [project, other] = await Promise.all([
    running.project(),
    ServiceProcess.start({
      ...running.environment.variables,
      SERVICE_IDENTITY__PUBLIC_URL: PUBLIC_URL,
      SERVICE_ROLE: 'api',
    }),
  ]);
});

afterAll(async () => {
  await other.stop();
  await running.stop();
});

interface Account extends ProjectSession {
  readonly email: string;
}

async function signUp(): Promise<Account> {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const { status, body } = await project.anon.post<ProjectSession>('/auth/v1/signup', {
    email,
    password: PASSWORD,
  });
  expect(status).toBe(201);
  return { ...body, email };
}

async function mailedToken(path: 'magic-link' | 'recover', email: string, mails: number): Promise<string> {
  expect((await project.anon.post(`/auth/v1/${path}`, { email })).status).toBe(200);
  return tokenOf(await running.mailServer.mailTo(email, mails));
}

async function signIn(email: string, password: string): Promise<Answer<ProjectSession>> {
  return await project.anon.post('/auth/v1/token', { email, password });
}

function userBy(token: string, url = running.service.url): Promise<Answer> {
  return project.anon
    .at(url)
    .with({ authorization: `Bearer ${token}` })
    .get('/auth/v1/user');
}

async function expectOutside(intruder: Account): Promise<void> {
  expect(await userBy(intruder.access_token)).toMatchObject({
    status: 401,
    body: { error: { code: 'invalid_access_token' } },
  });
  expect((await project.anon.post('/auth/v1/token', { refresh_token: intruder.refresh_token })).status).toBe(
    401,
  );
  expect((await signIn(intruder.email, PASSWORD)).status).toBe(401);
}

it('who signed up with the address of somebody else is out at every instance after their magic link', async () => {
  const intruder = await signUp();
  for (const url of [running.service.url, other.url ?? ''])
    expect((await userBy(intruder.access_token, url)).status).toBe(200);
  const token = await mailedToken('magic-link', intruder.email, 1);
  const { status, body } = await project.anon.post<ProjectSession>('/auth/v1/verify', { token });
  expect([status, body.user.id]).toEqual([200, intruder.user.id]);
  await expectOutside(intruder);
  await until(async () => (await userBy(intruder.access_token, other.url ?? '')).status === 401);
  for (const url of [running.service.url, other.url ?? ''])
    expect((await userBy(body.access_token, url)).status).toBe(200);
  const managed = await project.service.get<{ email_verified: boolean }>(`/auth/v1/users/${body.user.id}`);
  expect(managed.body.email_verified).toBe(true);
});

it('who signed up with the address of somebody else is out once they recover the account', async () => {
  const intruder = await signUp();
  const token = await mailedToken('recover', intruder.email, 1);
  const recovered = await project.anon.post<ProjectSession>('/auth/v1/recover/complete', {
    token,
    password: CHOSEN,
  });
  expect(recovered.status).toBe(200);
  await expectOutside(intruder);
  expect((await userBy(recovered.body.access_token)).status).toBe(200);
  expect((await signIn(intruder.email, CHOSEN)).status).toBe(200);
});

it('of a magic link and a recovery at once one is the first proof, and the chosen password holds after both', async () => {
  const intruder = await signUp();
  const link = await mailedToken('magic-link', intruder.email, 1);
  const recovery = await mailedToken('recover', intruder.email, 2);
  const answers = await Promise.all([
    project.anon.post('/auth/v1/verify', { token: link }),
    project.anon.post('/auth/v1/recover/complete', { token: recovery, password: CHOSEN }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await expectOutside(intruder);
  expect((await signIn(intruder.email, CHOSEN)).status).toBe(200);
});

it('a magic link leaves the password and the sessions of a user alone whose address was proven before', async () => {
  const ada = await signUp();
  const recovery = await mailedToken('recover', ada.email, 1);
  const recovered = await project.anon.post<ProjectSession>('/auth/v1/recover/complete', {
    token: recovery,
    password: CHOSEN,
  });
  const token = await mailedToken('magic-link', ada.email, 2);
  expect((await project.anon.post('/auth/v1/verify', { token })).status).toBe(200);
  expect((await userBy(recovered.body.access_token)).status).toBe(200);
  expect((await signIn(ada.email, CHOSEN)).status).toBe(200);
});
