import { signUp, signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

describe('who may do what in an organization', () => {
  let program: SharedProgram;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let ben: Awaited<ReturnType<typeof signUp>>;
  let org: string;

  beforeAll(async () => {
    program = await sharedProgram();
    owner = await signUpOwner(program.url);
    ben = await signUp(program.url);
    org = `/auth/v1/orgs/${owner.slug}`;
    await owner.client.post(`${org}/roles`, {
      name: 'cleaner',
      permissions: ['data:orders:*', 'jobs:jobs:trigger'],
    });
    await setRole('cleaner');
  });

  async function setRole(role: string): Promise<void> {
    await program.database.query(
      `INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, $3)
       ON CONFLICT (org_id, user_id) DO UPDATE SET role = excluded.role`,
      [owner.orgId, ben.userId, role],
    );
  }

  async function access(client: Client, userId: string, permission: string): Promise<unknown> {
    return await client.get(`${org}/members/${userId}/access?permission=${encodeURIComponent(permission)}`);
  }

  it('is explained by the role and the permission that grants it', async () => {
    expect(await access(owner.client, ben.userId, 'data:orders:delete')).toMatchObject({
      status: 200,
      body: {
        user_id: ben.userId,
        role: 'cleaner',
        permission: 'data:orders:delete',
        allowed: true,
        reason: 'granted',
        granted_by: [{ role: 'cleaner', permission: 'data:orders:*' }],
        granting_roles: ['admin', 'cleaner', 'owner'],
      },
    });
  });

  it('is denied with the roles that would allow it', async () => {
    expect(await access(owner.client, ben.userId, 'data:invoices:delete')).toMatchObject({
      status: 200,
      body: { allowed: false, reason: 'not_granted', granted_by: [], granting_roles: ['admin', 'owner'] },
    });
  });

  it('is nothing for a disabled account, although its role grants it', async () => {
    const disabled = await signUp(program.url);
    await program.database.query("INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, 'admin')", [
      owner.orgId,
      disabled.userId,
    ]);
    await program.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.userId]);
    expect(await access(owner.client, disabled.userId, 'data:orders:read')).toMatchObject({
      status: 200,
      body: { allowed: false, reason: 'account_disabled', granted_by: [{ permission: 'data:*:*' }] },
    });
  });

  it('is asked with one concrete permission about a member, by a caller who may read members', async () => {
    const [wildcard, missing, stranger, malformed] = await Promise.all([
      access(owner.client, ben.userId, 'data:*:read'),
      owner.client.get(`${org}/members/${ben.userId}/access`),
      access(owner.client, '00000000-0000-7000-8000-000000000000', 'data:orders:read'),
      access(owner.client, 'ben', 'data:orders:read'),
    ]);
    expect(wildcard).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
    expect(missing).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
    expect(stranger).toMatchObject({ status: 404, body: { error: { code: 'member_not_found' } } });
    expect(malformed).toMatchObject({ status: 404, body: { error: { code: 'member_not_found' } } });
    expect(await access(ben.client, owner.userId, 'data:orders:read')).toMatchObject({
      status: 403,
      body: { error: { code: 'permission_denied' } },
    });
  });

  it('shows the members, invitations and API keys that a role concerns', async () => {
    const path = `${org}/roles/cleaner/holders`;
    await owner.client.post(`${org}/invitations`, { email: 'next@example.com', role: 'cleaner' });
    const key = async (name: string, permissions: string[]): Promise<unknown> =>
      (await owner.client.post(`${org}/api-keys`, { name, permissions })).body;
    const wide = await key('wide', ['data:*:*', 'jobs:*:*']);
    await key('narrow', ['data:orders:*']);
    const { status, body } = await owner.client.get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      role: 'cleaner',
      permissions: ['data:orders:*', 'jobs:jobs:trigger'],
      member_count: 1,
      members: [{ user_id: ben.userId }],
      invitation_count: 1,
      invitations: [{ email: 'next@example.com' }],
      api_key_count: 1,
      api_keys: [{ id: (wide as { id: string }).id, name: 'wide' }],
    });
    expect(await owner.client.get(`${org}/roles/nobody/holders`)).toMatchObject({
      status: 404,
      body: { error: { code: 'role_not_found' } },
    });
  });

  it('hides the API keys of a role from a caller who may not read them', async () => {
    const reader = await signUp(program.url);
    await owner.client.post(`${org}/roles`, { name: 'people', permissions: ['auth:members:read'] });
    await program.database.query("INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, 'people')", [
      owner.orgId,
      reader.userId,
    ]);
    expect(await reader.client.get(`${org}/roles/people/holders`)).toMatchObject({
      status: 200,
      body: { member_count: 1, members: [{ user_id: reader.userId }], api_key_count: null, api_keys: null },
    });
  });

  it('shows permissions of roles only to those who may read roles', async () => {
    await owner.client.post(`${org}/roles`, { name: 'greeter', permissions: ['auth:members:read'] });
    const greeter = await signUp(program.url);
    await program.database.query("INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, 'greeter')", [
      owner.orgId,
      greeter.userId,
    ]);
    expect(await access(greeter.client, ben.userId, 'jobs:jobs:trigger')).toMatchObject({
      status: 200,
      body: { granted_by: null, granting_roles: null },
    });
    expect(await greeter.client.get(`${org}/roles/admin/holders`)).toMatchObject({
      status: 200,
      body: { role: 'admin', permissions: null },
    });
  });
});
