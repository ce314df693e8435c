import { createClient } from '../../../client/src/index.js';
import { createVerifier } from '../../../client/src/verify/index.js';
import type { Verifier } from '../../../client/src/verify/index.js';
import { PASSWORD, signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { fetch } from '../../support/fetch.js';
import { createProject } from '../../support/project-environment.js';
import { endedRun, registerJobs, trigger } from '../../support/runs.js';
import { sharedProgram } from '../../support/shared-program.js';

/** Answers with the run token that it was called with. */
const TELLS = `export default (request) => Response.json(request.headers.get('authorization'));`;

/** A tenant, how others name it in tokens, and a token of one of its users. */
interface Ground {
  readonly client: Client;
  readonly tenant: string;
  readonly userToken: string;
  /** Of a project: signed like its run tokens, for the same role. */
  readonly serviceKey: string | null;
}

describe.each(['organization', 'project'] as const)('a verifier of runs, in the %s profile', (profile) => {
  let url: string;
  let mine: Ground;
  let theirs: Ground;

  beforeAll(async () => {
    const program = await sharedProgram(profile);
    ({ url } = program);
    await program.deploy('tells', TELLS);
    const ground = async (): Promise<Ground> => {
      if (profile === 'organization') {
        const { client, orgId, accessToken } = await signUpOwner(url);
        return { client, tenant: orgId, userToken: accessToken, serviceKey: null };
      }
      const project = await createProject(url, program.adminToken);
      const page = createClient({ url, apikey: project.anonKey });
      const { session } = await page.auth.signUp({ email: 'ada@example.com', password: PASSWORD });
      const { service: client, ref: tenant, serviceKey } = project;
      return { client, tenant, userToken: session.access_token, serviceKey };
    };
    [mine, theirs] = [await ground(), await ground()];
    for (const { client } of [mine, theirs]) await registerJobs(client, { tells: {} });
  });

  function verifierOf(...accepted: readonly Ground[]): Verifier {
    return createVerifier({
      url,
      fetch,
      ...(profile === 'project' ? { projects: accepted.map(({ tenant }) => tenant) } : {}),
    });
  }

  async function called({ client }: Ground): Promise<{ id: string; actor: string; authorization: string }> {
    const { id } = await trigger(client, 'tells');
    const { result, actor } = await endedRun(client, id);
    return { id, actor, authorization: String(result) };
  }

  it('knows the tenant, the attempt and the actor by the token of the call', async () => {
    for (const ground of [mine, theirs]) {
      const { id, actor, authorization } = await called(ground);
      expect(await verifierOf(mine, theirs).requireRun({ authorization })).toMatchObject({
        type: 'run',
        tenant: ground.tenant,
        runId: id,
        attempt: 1,
        actor,
        credential: authorization.replace('Bearer ', ''),
      });
    }
  });

  it('takes no other token for one of a run, and none of a run for a user’s', async () => {
    const { authorization } = await called(mine);
    const verifier = verifierOf(mine, theirs);
    const invalid = { statusCode: 401, code: 'invalid_access_token' };
    await expect(verifier.requireRun({ authorization: `Bearer ${mine.userToken}` })).rejects.toMatchObject(
      invalid,
    );
    await expect(verifier.requireUser({ authorization })).rejects.toMatchObject(invalid);
    if (mine.serviceKey !== null)
      await expect(verifier.requireRun({ authorization: `Bearer ${mine.serviceKey}` })).rejects.toMatchObject(
        invalid,
      );
    await expect(verifier.requireRun({})).rejects.toMatchObject({ statusCode: 401 });
    const [header = '', claims = '', signature = ''] = authorization.split('.');
    const changed = Buffer.from(
      Buffer.from(claims, 'base64url').toString().replaceAll(mine.tenant, theirs.tenant),
    ).toString('base64url');
    expect(changed).not.toBe(claims);
    await expect(
      verifier.requireRun({ authorization: [header, changed, signature].join('.') }),
    ).rejects.toMatchObject(invalid);
  });

  it('takes none of a project that it is not for', async () => {
    const { authorization } = await called(theirs);
    const taken = verifierOf(mine).requireRun({ authorization });
    // An organization profile has one issuer for all organizations.
    if (profile === 'organization') expect((await taken).tenant).toBe(theirs.tenant);
    else await expect(taken).rejects.toMatchObject({ statusCode: 401 });
  });
});
