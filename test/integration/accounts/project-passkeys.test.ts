import { PASSWORD } from '../../support/client.js';
import { startMailingProjects } from '../../support/mailing-project.js';
import type { MailingProjects } from '../../support/mailing-project.js';
import { addPasskey, passkeyGrant } from '../../support/passkey.js';
import { createProject } from '../../support/project-environment.js';
import type { TestProject } from '../../support/project-environment.js';
import type { RequestOptions } from '../../support/software-authenticator.js';

interface Body {
  access_token?: string;
  error?: { code: string; challenge?: { token: string; passkey_options: RequestOptions } };
}

const SETTINGS = '/auth/v1/sign-in-settings';
const ORIGIN = 'https://app.acme.example';
const OWN = { rp_id: 'acme.example', rp_name: 'Acme', origins: [ORIGIN] };

let addresses = 0;
const freshAddress = (): string => `person${(addresses += 1)}@example.com`;

describe('the passkeys of a project', () => {
  let running: MailingProjects;

  beforeAll(async () => {
    running = await startMailingProjects();
  });

  afterAll(async () => {
    await running.stop();
  });

  /** A project with a relying party of its own. */
  async function acme(): Promise<TestProject> {
    const project = await running.project({ mail: false });
    expect((await project.service.send('PATCH', SETTINGS, { passkeys: OWN })).status).toBe(200);
    return project;
  }

  async function tokenOf({ anon }: TestProject, email = freshAddress()): Promise<string> {
    const { body } = await anon.post<Body>('/auth/v1/signup', { email, password: PASSWORD });
    return body.access_token ?? '';
  }

  async function signIn({ anon }: TestProject, grant: unknown): Promise<[number, string | undefined]> {
    const { status, body } = await anon.post<Body>('/auth/v1/token', grant);
    return [status, body.error?.code];
  }

  it('belong to the relying party that it sets', async () => {
    const project = await acme();
    const { authenticator } = await addPasskey(project.anon.as(await tokenOf(project)), ORIGIN);
    expect(await signIn(project, await passkeyGrant(project.anon, authenticator))).toEqual([200, undefined]);
    const origin = `https://${project.ref}.projects.test`;
    const elsewhere = await passkeyGrant(project.anon, authenticator, { origin });
    expect(await signIn(project, elsewhere)).toEqual([401, 'invalid_passkey']);
  });

  it('belong to its first host otherwise, on all of its hosts', async () => {
    const { service, environment } = running;
    const hosts = ['auth.hosted.example', 'id.hosted.example'];
    const project = await createProject(service.url, environment.adminToken, hosts);
    const inForce = async (): Promise<unknown> => (await project.service.get(SETTINGS)).body;
    const ofHosts = {
      passkeys: {
        rp_id: 'auth.hosted.example',
        rp_name: `Project ${project.ref}`,
        origins: ['https://auth.hosted.example', 'https://id.hosted.example'],
      },
    };
    expect(await inForce()).toMatchObject(ofHosts);
    await project.service.send('PATCH', SETTINGS, { passkeys: OWN });
    expect(await inForce()).toMatchObject({ passkeys: OWN });
    await project.service.send('PATCH', SETTINGS, { passkeys: null });
    expect(await inForce()).toMatchObject(ofHosts);
  });

  it.each([
    [{ rp_id: 'https://acme.example' }, 'passkeys.rp_id'],
    [{ rp_name: '' }, 'passkeys.rp_name'],
    [{ origins: [] }, 'passkeys.origins'],
    [{ origins: ['https://acme.example/'] }, 'passkeys.origins[0]'],
    [{ origins: [ORIGIN, 'http://acme.example'] }, 'passkeys.origins[1]'],
    [{ origins: ['https://*.acme.example'] }, 'passkeys.origins[0]'],
  ])('are refused with the settings %j', async (fault, path) => {
    const project = await running.project({ mail: false });
    const answer = await project.service.send('PATCH', SETTINGS, { passkeys: { ...OWN, ...fault } });
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path }] } } });
  });

  it('never work in another project, although both have the same relying party', async () => {
    const [project, other] = [await acme(), await acme()];
    const email = freshAddress();
    const { authenticator } = await addPasskey(project.anon.as(await tokenOf(project, email)), ORIGIN);
    const ofOther = await passkeyGrant(other.anon, authenticator);
    expect(await signIn(other, ofOther)).toEqual([401, 'invalid_passkey']);
    const crossed = await passkeyGrant(project.anon, authenticator);
    expect(await signIn(other, crossed)).toEqual([401, 'invalid_challenge']);
    await addPasskey(other.anon.as(await tokenOf(other, email)), ORIGIN);
    const { body } = await other.anon.post<Body>('/auth/v1/token', { email, password: PASSWORD });
    const { challenge } = body.error ?? {};
    if (challenge === undefined) throw new Error('the other account has no factor');
    const second = {
      challenge_token: challenge.token,
      credential: authenticator.get(challenge.passkey_options),
    };
    expect(await signIn(other, second)).toEqual([401, 'invalid_second_factor']);
  });

  it('may be of one authenticator in two projects', async () => {
    const [project, other] = [await acme(), await acme()];
    const { authenticator } = await addPasskey(project.anon.as(await tokenOf(project)), ORIGIN);
    const client = other.anon.as(await tokenOf(other));
    const { body } = await client.post('/auth/v1/factors/passkeys/options');
    const credential = authenticator.create(body as never);
    expect((await client.post('/auth/v1/factors/passkeys', { name: 'Key', credential })).status).toBe(201);
  });

  it('are gone with the project', async () => {
    const project = await acme();
    await addPasskey(project.anon.as(await tokenOf(project)), ORIGIN);
    const operator = project.anon.as(running.environment.adminToken);
    expect((await operator.send('DELETE', `/admin/v1/projects/${project.ref}`)).status).toBe(204);
    const left = await running.environment.database.query(
      `SELECT factor_id FROM passkeys WHERE realm_id = $1
       UNION ALL SELECT project_id FROM project_relying_parties WHERE project_id = $1`,
      [project.id],
    );
    expect(left).toEqual([]);
  });
});
