import { randomBytes } from 'node:crypto';
import { PASSWORD } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createProject } from '../../support/project-environment.js';
import type { TestProject } from '../../support/project-environment.js';
import { sharedProgram } from '../../support/shared-program.js';

interface SessionBody {
  id: string;
  current: boolean;
}

interface Session {
  readonly client: Client;
  readonly refreshToken: string;
}

interface Sessions {
  1: [Session];
  2: [Session, Session];
  3: [Session, Session, Session];
}

describe('the sessions of a user of a project', () => {
  let project: TestProject;

  beforeAll(async () => {
    const program = await sharedProgram('project');
    project = await createProject(program.url, program.adminToken);
  });

  /** As many sessions of one new user. */
  async function signedIn<Count extends 1 | 2 | 3>(count: Count): Promise<Sessions[Count]> {
    const credentials = { email: `${randomBytes(6).toString('hex')}@example.com`, password: PASSWORD };
    const answers = [await project.anon.post<Record<string, string>>('/auth/v1/signup', credentials)];
    while (answers.length < count)
      answers.push(await project.anon.post<Record<string, string>>('/auth/v1/token', credentials));
    return answers.map(({ body }) => ({
      client: project.anon.as(body.access_token ?? ''),
      refreshToken: body.refresh_token ?? '',
    })) as Sessions[Count];
  }

  async function canRefresh(refreshToken: string): Promise<boolean> {
    const { status } = await project.anon.post('/auth/v1/token', { refresh_token: refreshToken });
    return status === 200;
  }

  it('are listed newest first, with the one that asks marked', async () => {
    const [first] = await signedIn(2);
    const { body } = await first.client.get<SessionBody[]>('/auth/v1/sessions');
    expect(body.map(({ current }) => current)).toEqual([false, true]);
  });

  it('end by their id, and one of another user is not found', async () => {
    const [[first, second], [stranger]] = [await signedIn(2), await signedIn(1)];
    const [other] = (await first.client.get<SessionBody[]>('/auth/v1/sessions')).body;
    const path = `/auth/v1/sessions/${other?.id ?? ''}`;
    expect((await stranger.client.send('DELETE', path)).status).toBe(404);
    expect((await first.client.send('DELETE', path)).status).toBe(204);
    expect(await canRefresh(second.refreshToken)).toBe(false);
    expect(await canRefresh(first.refreshToken)).toBe(true);
  });

  it('end all at once but for the one that asks', async () => {
    const [first, second, third] = await signedIn(3);
    expect((await first.client.send('DELETE', '/auth/v1/sessions')).status).toBe(204);
    expect(await canRefresh(second.refreshToken)).toBe(false);
    expect(await canRefresh(third.refreshToken)).toBe(false);
    expect(await canRefresh(first.refreshToken)).toBe(true);
  });
});
