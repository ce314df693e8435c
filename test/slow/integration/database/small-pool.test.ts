import { randomBytes } from 'node:crypto';
import { refresh, signIn } from '../../../support/accounts.js';
import { Client, PASSWORD, signUp, signUpOwner } from '../../../support/client.js';
import type { Answer } from '../../../support/client.js';
import { tokenOf } from '../../../support/mail-server.js';
import { startMailingProjects } from '../../../support/mailing-project.js';
import type { MailingProjects, ProjectSession } from '../../../support/mailing-project.js';
import { startMailingService } from '../../../support/mailing-service.js';
import type { MailingService } from '../../../support/mailing-service.js';
import type { TestProject } from '../../../support/project-environment.js';

const SMALLEST_POOL = { SERVICE_DATABASE__POOL_SIZE: '2' };
const AT_ONCE = 8;

function addresses(): string[] {
  return Array.from({ length: AT_ONCE }, () => `${randomBytes(6).toString('hex')}@example.com`);
}

async function statusesOf(calls: readonly (() => Promise<Answer<unknown>>)[]): Promise<number[]> {
  return (await Promise.all(calls.map((call) => call()))).map(({ status }) => status);
}

function all(status: number): number[] {
  return Array<number>(AT_ONCE).fill(status);
}

describe('with two database connections', () => {
  let running: MailingService;

  beforeAll(async () => {
    running = await startMailingService(SMALLEST_POOL);
  });

  afterAll(async () => {
    await running.stop();
  });

  it('all of many simultaneous sign-ups, sign-ins, refreshes and acceptances of invitations succeed', async () => {
    const { anonymous, mailServer, service } = running;
    const { client, orgId } = await signUpOwner(service.url);
    const users = await Promise.all(addresses().map((email) => signUp(service.url, email)));
    const path = `/auth/v1/orgs/${orgId}/invitations`;
    const invited = addresses();
    const role = 'member';
    expect(await statusesOf(invited.map((email) => () => client.post(path, { email, role })))).toEqual(
      all(201),
    );
    const tokens = await Promise.all(invited.map(async (email) => tokenOf(await mailServer.mailTo(email))));
    const mixed = [
      ...users.map(
        ({ email }) =>
          () =>
            signIn(anonymous, email, PASSWORD),
      ),
      ...users.map(
        ({ refreshToken }) =>
          () =>
            refresh(anonymous, refreshToken),
      ),
      ...tokens.map(
        (token) => () => anonymous.post('/auth/v1/invitations/accept', { token, password: PASSWORD }),
      ),
    ];
    expect(await statusesOf(mixed)).toEqual([...all(200), ...all(200), ...all(200)]);
  });
});

describe('with two database connections, a project that nothing is remembered of', () => {
  let running: MailingProjects;
  let project: TestProject;

  beforeAll(async () => {
    running = await startMailingProjects(SMALLEST_POOL);
    project = await running.project();
  });

  afterAll(async () => {
    await running.stop();
  });

  /** Has the program look its projects up again, as after any change of one. */
  async function forgetProjects(): Promise<void> {
    const operator = new Client(running.service.url).as(running.environment.adminToken);
    const { status } = await operator.send('PATCH', `/admin/v1/projects/${project.ref}`, {
      name: `Project ${randomBytes(4).toString('hex')}`,
    });
    expect(status).toBe(200);
  }

  it('serves all of many simultaneous sign-ups, sign-ins, refreshes, magic links and invitations', async () => {
    const { mailServer } = running;
    const users = addresses();
    const credentials = (email: string): { email: string; password: string } => ({
      email,
      password: PASSWORD,
    });
    await forgetProjects();
    const signedUp = await Promise.all(
      users.map((email) => project.anon.post<ProjectSession>('/auth/v1/signup', credentials(email))),
    );
    expect(signedUp.map(({ status }) => status)).toEqual(all(201));

    const [linked, invited] = [addresses(), addresses()];
    const asked = [
      ...linked.map((email) => () => project.anon.post('/auth/v1/magic-link', { email })),
      ...invited.map((email) => () => project.service.post('/auth/v1/invite', { email })),
    ];
    expect(await statusesOf(asked)).toEqual([...all(200), ...all(201)]);
    const tokenFor = async (email: string): Promise<string> => tokenOf(await mailServer.mailTo(email));
    const links = await Promise.all(linked.map(tokenFor));
    const invitations = await Promise.all(invited.map(tokenFor));

    await forgetProjects();
    expect(
      await statusesOf(links.map((token) => () => project.anon.post('/auth/v1/verify', { token }))),
    ).toEqual(all(200));
    await forgetProjects();
    const mixed = [
      ...users.map((email) => () => project.anon.post('/auth/v1/token', credentials(email))),
      ...signedUp.map(
        ({ body }) =>
          () =>
            project.anon.post('/auth/v1/token', { refresh_token: body.refresh_token }),
      ),
      ...invitations.map(
        (token) => () => project.anon.post('/auth/v1/invite/accept', { token, password: PASSWORD }),
      ),
    ];
    expect(await statusesOf(mixed)).toEqual([...all(200), ...all(200), ...all(200)]);
  });
});
