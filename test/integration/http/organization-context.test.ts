import { randomBytes } from 'node:crypto';
import { signUp, signUpOwner } from '../../support/client.js';
import type { Client, SignedUp } from '../../support/client.js';
import { until } from '../../support/until.js';
import { sharedProgram, untilNotified } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

const PERMISSIONS = '/auth/v1/permissions';
const MANIFEST = { jobs: [] };

describe('the organization of a request', () => {
  let program: SharedProgram;

  beforeAll(async () => {
    program = await sharedProgram();
  });
  async function createOrganization(caller: SignedUp): Promise<{ id: string; slug: string }> {
    const slug = `org-${randomBytes(6).toString('hex')}`;
    const { status, body } = await caller.client.post<{ id: string; slug: string }>('/auth/v1/orgs', {
      slug,
      name: 'An organization',
    });
    expect(status).toBe(201);
    return body;
  }

  async function expectRefusal(client: Client, status: number, code: string): Promise<unknown> {
    const answer = await client.get(PERMISSIONS);
    expect(answer).toMatchObject({ status, body: { error: { code, status } } });
    return answer.body;
  }

  async function announce(change: string): Promise<void> {
    await program.database.query(`SELECT pg_notify('service_changes', $1)`, [change]);
  }

  it('must be named by a user who belongs to none, or to two', async () => {
    const user = await signUp(program.url);
    await expectRefusal(user.client, 400, 'org_required');
    await createOrganization(user);
    await createOrganization(user);
    await expectRefusal(user.client, 400, 'org_required');
  });

  it('is implied for a user who belongs to only one', async () => {
    const user = await signUp(program.url);
    const { id, slug } = await createOrganization(user);
    for (const client of [user.client, user.client.in(''), user.client.in('  ')]) {
      expect((await client.get(PERMISSIONS)).body).toMatchObject({ org: { id, slug }, role: 'owner' });
    }
  });

  it('is the one that the header names, by slug or by id in any letters', async () => {
    const user = await signUp(program.url);
    const [first, second] = [await createOrganization(user), await createOrganization(user)];
    for (const { id, slug } of [first, second]) {
      for (const reference of [slug, id, id.toUpperCase(), ` ${slug} `]) {
        const { status, body } = await user.client.in(reference).get(PERMISSIONS);
        expect([reference, status]).toEqual([reference, 200]);
        expect(body).toMatchObject({ org: { id, slug } });
      }
    }
  });

  it('is refused in the same words whether it is unknown or of others', async () => {
    const stranger = await signUpOwner(program.url);
    const { client } = await signUpOwner(program.url);
    const references = [
      stranger.slug,
      stranger.orgId,
      'nobody-has-this',
      '019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11',
      stranger.slug.toUpperCase(),
    ];
    const answers = [];
    for (const reference of references)
      answers.push(await expectRefusal(client.in(reference), 403, 'not_a_member'));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('opens to a member what the role allows, and no more, as soon as the change is announced', async () => {
    const owner = await signUpOwner(program.url);
    const member = await signUp(program.url);
    const inOrg = member.client.in(owner.slug);
    // Known not to be a member, and remembered as such.
    await expectRefusal(inOrg, 403, 'not_a_member');
    await program.database.query('INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, $3)', [
      owner.orgId,
      member.userId,
      'member',
    ]);
    await announce(`membership:${member.userId}`);
    await until(async () => (await inOrg.get(PERMISSIONS)).status === 200);
    const permissions = await inOrg.get(PERMISSIONS);
    expect(permissions.body).toMatchObject({
      role: 'member',
      permissions: ['data:*:read', 'storage:*:read', 'functions:*:invoke'],
    });
    for (const refused of [
      await inOrg.post('/jobs/v1/jobs', MANIFEST),
      await inOrg.post('/jobs/v1/jobs/echo/trigger'),
      await inOrg.get('/jobs/v1/runs'),
      await inOrg.get('/jobs/v1/runs/run_1'),
    ]) {
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'permission_denied' } } });
    }
    expect((await owner.client.post('/jobs/v1/jobs', MANIFEST)).status).toBe(200);
  });

  it('closes to a member who was removed, when the change names the organization', async () => {
    const owner = await signUpOwner(program.url);
    const member = await signUp(program.url);
    const inOrg = member.client.in(owner.slug);
    await program.database.query('INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, $3)', [
      owner.orgId,
      member.userId,
      'admin',
    ]);
    await untilNotified(program);
    expect((await inOrg.post('/jobs/v1/jobs', MANIFEST)).status).toBe(200);
    await program.database.query('DELETE FROM members WHERE user_id = $1', [member.userId]);
    expect((await inOrg.get(PERMISSIONS)).status).toBe(200);
    await announce(`membership:${owner.orgId}`);
    await until(async () => (await inOrg.get(PERMISSIONS)).status === 403);
  });

  it('keeps runs of others out of sight', async () => {
    const { client } = await signUpOwner(program.url);
    const other = await signUpOwner(program.url);
    await program.deploy('echo', 'export default () => Response.json({})');
    await client.post('/jobs/v1/jobs', { jobs: [{ id: 'echo', name: 'Echo', handler: 'echo' }] });
    const { status, body } = await client.post<{ id: string }>('/jobs/v1/jobs/echo/trigger');
    expect(status).toBe(202);
    const sought = await other.client.get(`/jobs/v1/runs/${body.id}`);
    expect(sought).toMatchObject({ status: 404, body: { error: { code: 'run_not_found' } } });
    expect((await other.client.get('/jobs/v1/runs')).body).toEqual([]);
    expect((await other.client.post('/jobs/v1/jobs/echo/trigger')).status).toBe(404);
  });
});
