import { createClient } from '../../../client/src/index.js';
import { createVerifier } from '../../../client/src/verify/index.js';
import type { Verifier } from '../../../client/src/verify/index.js';
import { PASSWORD } from '../../support/client.js';
import { fetch } from '../../support/fetch.js';
import { createProject } from '../../support/project-environment.js';
import type { TestProject } from '../../support/project-environment.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

describe('a verifier of projects', () => {
  let program: SharedProgram;
  let asked: string[];
  let [one, other]: TestProject[] = [];

  beforeAll(async () => {
    program = await sharedProgram('project');
    one = await createProject(program.url, program.adminToken);
    other = await createProject(program.url, program.adminToken);
  });
  function verifierOf(...projects: (TestProject | undefined)[]): Verifier {
    asked = [];
    return createVerifier({
      url: program.url,
      projects: projects.map((project) => project?.ref ?? ''),
      fetch: async (url, init) => {
        asked.push(new URL(url).search);
        return await fetch(url, init);
      },
    });
  }

  async function tokenOf(project: TestProject | undefined, email: string): Promise<string> {
    const client = createClient({ url: program.url, apikey: project?.anonKey ?? '' });
    return (await client.auth.signUp({ email, password: PASSWORD })).session.access_token;
  }

  it('knows the users of each project by its own key', async () => {
    const tokens = [await tokenOf(one, 'ada@example.com'), await tokenOf(other, 'ada@example.com')];
    const verifier = verifierOf(one, other);
    const [ada, namesake] = await Promise.all(tokens.map((token) => verifier.verifyAccessToken(token)));
    expect(ada).toMatchObject({ type: 'user', project: one?.ref, email: 'ada@example.com' });
    expect(namesake).toMatchObject({ project: other?.ref, email: 'ada@example.com' });
    expect(ada?.userId).not.toBe(namesake?.userId);
    expect(asked.sort()).toEqual([one, other].map((project) => `?ref=${project?.ref ?? ''}`).sort());
  });

  it('refuses the users of a project that it is not for, without asking for its key', async () => {
    const token = await tokenOf(other, 'grace@example.com');
    await expect(verifierOf(one).verifyAccessToken(token)).rejects.toMatchObject({ statusCode: 401 });
    expect(asked).toEqual([]);
  });

  it('refuses a token that claims another project than the one whose key signed it', async () => {
    const [header = '', claims = '', signature = ''] = (await tokenOf(one, 'eve@example.com')).split('.');
    const changed = {
      ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object),
      ref: other?.ref,
    };
    const forged = `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`;
    await expect(verifierOf(one, other).verifyAccessToken(forged)).rejects.toMatchObject({ statusCode: 401 });
  });

  it('refuses the keys of the project, which are no users', async () => {
    for (const key of [one?.anonKey, one?.serviceKey])
      await expect(verifierOf(one).verifyAccessToken(key ?? '')).rejects.toMatchObject({
        code: 'invalid_access_token',
      });
  });

  it('has no guard by permission, since projects have none', () => {
    expect(() => verifierOf(one).fastify.requirePermission('data:orders:read')).toThrow(TypeError);
  });
});
