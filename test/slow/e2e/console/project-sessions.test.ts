import type { Answer } from '../../../support/client.js';
import { Client } from '../../../support/client.js';
import { createProject } from '../../../support/project-environment.js';
import type { TestProject } from '../../../support/project-environment.js';
import { sharedProgram } from '../../../support/shared-program.js';
import type { SharedProgram } from '../../../support/shared-program.js';
import { ConsoleCaller } from './console-caller.js';
import { createOperator } from './operator-accounts.js';

interface ProjectSession {
  kind: string;
  project: { ref: string };
  service_key: string;
}

function refusalOf({ status, body }: Answer<unknown>): [number, string | undefined] {
  return [status, (body as { error?: { code: string } }).error?.code];
}

describe('a project in the console', () => {
  let program: SharedProgram;
  let project: TestProject;
  let browser: ConsoleCaller;

  beforeAll(async () => {
    program = await sharedProgram('project');
  });

  beforeEach(async () => {
    project = await createProject(program.url, program.adminToken);
    browser = new ConsoleCaller(program.url);
  });

  const open = async (): Promise<Answer<ProjectSession>> =>
    await browser.post<ProjectSession>('/project', { service_key: project.serviceKey });

  it('is offered by the options', async () => {
    const { body } = await new Client(program.url).get('/console/session/options');
    expect(body).toMatchObject({ profile: 'project', sign_up: 'closed', setup_required: false });
  });

  it('is opened by its service key, and is still open after a reload', async () => {
    const opened = await open();
    expect(opened).toMatchObject({
      status: 200,
      body: { kind: 'project', project: { id: project.id, ref: project.ref } },
    });
    const reloaded = await browser.post<ProjectSession>('/refresh');
    expect(reloaded).toMatchObject({
      status: 200,
      body: { kind: 'project', project: { ref: project.ref }, service_key: project.serviceKey },
    });
  });

  it('keeps its key in the cookie, sealed', async () => {
    const { headers } = await open();
    const [cookie = ''] = headers.getSetCookie();
    expect(cookie).toMatch(/; Max-Age=2592000; Path=\/console\/session; HttpOnly; Secure; SameSite=Strict$/);
    const [, payload = ''] = project.serviceKey.split('.');
    for (const text of [
      browser.cookie ?? '',
      Buffer.from(browser.cookie ?? '', 'base64url').toString('latin1'),
    ])
      expect(text).not.toContain(payload.slice(0, 20));
  });

  it('is not opened by the anon key, a key of nobody, or a page of another site', async () => {
    for (const key of [project.anonKey, 'x', `${project.serviceKey}x`])
      expect(refusalOf(await browser.post('/project', { service_key: key }))).toEqual([
        401,
        'invalid_api_key',
      ]);
    const attacker = new ConsoleCaller(program.url, {
      'x-service-console': '1',
      origin: 'https://evil.example',
    });
    const answer = await attacker.post('/project', { service_key: project.serviceKey });
    expect(refusalOf(answer)).toEqual([403, 'cross_site_request']);
  });

  it('is closed when its service key is replaced, and by an altered cookie', async () => {
    await open();
    const altered = browser.twin();
    altered.cookie = `${browser.cookie?.slice(0, -4) ?? ''}AAAA`;
    expect(refusalOf(await altered.post('/refresh'))).toEqual([401, 'invalid_api_key']);
    await new Client(program.url)
      .as(program.adminToken)
      .post(`/admin/v1/projects/${project.ref}/keys/rotate`, { key: 'service' });
    expect(refusalOf(await browser.post('/refresh'))).toEqual([401, 'invalid_api_key']);
  });

  it('ends the session of the operator who was signed in before', async () => {
    const operator = await createOperator(program, 'project');
    const former = operator.browser.twin();
    await operator.browser.post('/project', { service_key: project.serviceKey });
    expect(refusalOf(await former.post('/refresh'))).toEqual([401, 'invalid_refresh_token']);
  });
});
