import { makeKey } from '../../../support/api-keys.js';
import { Client, signUp, signUpOwner } from '../../../support/client.js';
import { sharedProgram } from '../../../support/shared-program.js';
import type { SharedProgram } from '../../../support/shared-program.js';
import { until } from '../../../support/until.js';

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

describe('when the only owner of an organization has left, the operator', () => {
  let program: SharedProgram;
  let operator: Client;

  beforeAll(async () => {
    program = await sharedProgram();
    operator = new Client(program.url).as(program.adminToken);
  });

  const auditOf = (orgId: string): Promise<Record<string, unknown>[]> =>
    program.database.query(
      `SELECT actor_type, action, target_id, details FROM audit_entries WHERE org_id = $1 AND actor_type = 'operator'
       ORDER BY position`,
      [orgId],
    );

  it('finds the organizations, and sees which of them would be left without an owner', async () => {
    const [ana, ben] = [await signUpOwner(program.url), await signUp(program.url)];
    const path = `/admin/v1/users/${ana.userId}/organizations`;
    const expected = {
      id: ana.orgId,
      slug: ana.slug,
      name: 'An organization',
      role: 'owner',
      joined_at: expect.any(String),
    };
    expect((await operator.get(path)).body).toEqual([{ ...expected, only_owner: true }]);
    await operator.send('PUT', `/admin/v1/orgs/${ana.slug}/members/${ben.userId}`, { role: 'owner' });
    expect((await operator.get(path)).body).toEqual([{ ...expected, only_owner: false }]);
    // An owner who cannot sign in does not count.
    await operator.send('PATCH', `/admin/v1/users/${ben.userId}`, { disabled: true });
    expect((await operator.get(path)).body).toEqual([{ ...expected, only_owner: true }]);
    for (const id of [UNKNOWN_ID, 'nobody'])
      expect((await operator.get(`/admin/v1/users/${id}/organizations`)).status).toBe(404);
  });

  it('finds the keys she created in every organization, and revokes them', async () => {
    const ana = await signUpOwner(program.url);
    const key = await makeKey(ana.client, ana.slug, ['jobs:jobs:read']);
    const path = `/admin/v1/users/${ana.userId}/api-keys`;
    const { status, body } = await operator.get<Record<string, unknown>[]>(path);
    expect([status, body]).toEqual([
      200,
      [
        expect.objectContaining({
          id: key.id,
          created_by: ana.userId,
          creator_type: 'user',
          creator_name: ana.email,
          org: { id: ana.orgId, slug: ana.slug, name: 'An organization' },
        }),
      ],
    ]);
    expect(JSON.stringify(body)).not.toContain(key.key);
    const ofHers = await ana.client.get<{ id: string }[]>(
      `/auth/v1/orgs/${ana.slug}/api-keys?created_by=${ana.userId}`,
    );
    expect(ofHers.body.map(({ id }) => id)).toEqual([key.id]);
    const others = await ana.client.get(`/auth/v1/orgs/${ana.slug}/api-keys?created_by=${UNKNOWN_ID}`);
    expect(others.body).toEqual([]);
    const someone = await signUp(program.url);
    const wrongPath = `/admin/v1/users/${someone.userId}/api-keys/${key.id}`;
    expect(await operator.send('DELETE', wrongPath)).toMatchObject({
      status: 404,
      body: { error: { code: 'key_not_found' } },
    });
    expect((await operator.send('DELETE', `${path}/${key.id}`)).status).toBe(204);
    expect((await operator.send('DELETE', `${path}/${key.id}`)).status).toBe(204);
    const holder = new Client(program.url).as(key.key);
    await until(async () => (await holder.get('/jobs/v1/jobs')).status === 401);
    expect(await auditOf(ana.orgId)).toEqual([
      expect.objectContaining({ action: 'api_key.revoked', target_id: key.id }),
    ]);
  });

  it('hands it over: another user becomes owner, and the former one is removed', async () => {
    const [ana, ben] = [await signUpOwner(program.url), await signUp(program.url)];
    const path = `/admin/v1/orgs/${ana.orgId}/members`;
    const refused = await operator.send('DELETE', `${path}/${ana.userId}`);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'last_owner' } } });
    const made = await operator.send('PUT', `${path}/${ben.userId}`, { role: 'owner' });
    expect([made.status, made.body]).toEqual([
      200,
      {
        user_id: ben.userId,
        email: ben.email,
        role: 'owner',
        joined_at: expect.any(String),
        disabled: false,
      },
    ]);
    expect((await operator.send('DELETE', `${path}/${ana.userId}`)).status).toBe(204);
    expect((await operator.get<{ user_id: string }[]>(path)).body.map(({ user_id: id }) => id)).toEqual([
      ben.userId,
    ]);
    const members = `/auth/v1/orgs/${ana.slug}/members`;
    await until(async () => (await ana.client.get(members)).status === 403);
    await until(async () => (await ben.client.get(members)).status === 200);
    expect(await auditOf(ana.orgId)).toEqual([
      {
        actor_type: 'operator',
        action: 'member.added',
        target_id: ben.userId,
        details: { role: 'owner' },
      },
      {
        actor_type: 'operator',
        action: 'member.removed',
        target_id: ana.userId,
        details: { role: 'owner' },
      },
    ]);
  });

  it('gives members other roles, but never demotes the last owner', async () => {
    const [ana, ben] = [await signUpOwner(program.url), await signUp(program.url)];
    const path = `/admin/v1/orgs/${ana.orgId}/members`;
    await operator.send('PUT', `${path}/${ben.userId}`, { role: 'member' });
    const raised = await operator.send('PUT', `${path}/${ben.userId}`, { role: 'admin' });
    expect(raised).toMatchObject({ status: 200, body: { role: 'admin' } });
    expect(await operator.send('PUT', `${path}/${ana.userId}`, { role: 'member' })).toMatchObject({
      status: 409,
      body: { error: { code: 'last_owner' } },
    });
    await operator.send('PATCH', `/admin/v1/users/${ben.userId}`, { disabled: true });
    for (const [target, role, code] of [
      [ben.userId, 'owner', 'user_disabled'],
      [UNKNOWN_ID, 'owner', 'user_not_found'],
      [ana.userId, 'nothing', 'unknown_role'],
    ] as const)
      expect(await operator.send('PUT', `${path}/${target}`, { role })).toMatchObject({
        body: { error: { code } },
      });
    for (const [method, body] of [
      ['PUT', { role: 'owner' }],
      ['DELETE', undefined],
    ] as const)
      expect(
        await operator.send(method, `/admin/v1/orgs/no-such-org/members/${ana.userId}`, body),
      ).toMatchObject({ status: 404, body: { error: { code: 'org_not_found' } } });
    expect((await operator.get('/admin/v1/orgs/no-such-org/members')).status).toBe(404);
    expect((await operator.send('DELETE', `${path}/${UNKNOWN_ID}`)).status).toBe(404);
  });
});
