import { makeKey } from '../../../support/api-keys.js';
import { Client, PASSWORD, signUp, signUpOwner } from '../../../support/client.js';
import { tokenOf } from '../../../support/mail-server.js';
import type { MailServer } from '../../../support/mail-server.js';
import type { Operation } from './document.js';
import { freshAddress, hookSignature, jobsGround, knownIn } from './ground.js';
import type { Credentials, Ground, KnownValues } from './ground.js';

interface Session {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** An owner with an organization, and someone of everything in it. */
export async function organizationGround(
  url: string,
  mailServer: MailServer,
  adminToken: string,
): Promise<Ground> {
  const anonymous = new Client(url);
  const owner = await signUpOwner(url);
  const { client, orgId, slug } = owner;
  const org = `/auth/v1/orgs/${slug}`;
  const again = await anonymous.post<Session>('/auth/v1/token?grant_type=password', {
    email: owner.email,
    password: PASSWORD,
  });
  const { body: sessions } = await client.get<{ id: string; current: boolean }[]>('/auth/v1/sessions');
  const jobs = await jobsGround(client, slug);
  const permissions = ['data:orders:read'];
  for (const name of ['analyst', 'spare']) await client.post(`${org}/roles`, { name, permissions });
  const key = await makeKey(client, slug, ['*']);
  const spareKey = await makeKey(client, slug, permissions);
  const invite = async (email: string): Promise<string> => {
    const { body } = await client.post<{ id: string }>(`${org}/invitations`, { email, role: 'member' });
    return body.id;
  };
  const pending = await invite(freshAddress());
  const [member, other, invited] = [await signUp(url), await signUp(url), freshAddress()];
  await invite(member.email);
  const invitation = tokenOf(await mailServer.mailTo(member.email, 2));
  await member.client.post('/auth/v1/invitations/accept', { token: invitation });
  await invite(invited);
  await anonymous.post('/auth/v1/recover', { email: other.email });
  const verification = tokenOf(await mailServer.mailTo(owner.email));
  const recovery = tokenOf(await mailServer.mailTo(other.email, 2));
  const acceptance = tokenOf(await mailServer.mailTo(invited));

  const values: KnownValues = {
    ...jobs,
    '': {
      ...jobs[''],
      org: [slug, orgId],
      'X-Service-Org': [slug, orgId],
      user_id: [member.userId],
      role: ['member', 'analyst'],
      email: [owner.email, other.email, freshAddress()],
      password: [PASSWORD],
      repeat: [PASSWORD],
      current_password: [PASSWORD],
      refresh_token: [again.body.refresh_token],
      permissions: [permissions],
      permission: permissions,
      cursor: [],
      owner_email: [other.email],
      owner_id: [other.userId],
    },
    'POST /auth/v1/signup': { email: [freshAddress()] },
    'POST /auth/v1/orgs': { slug: [`${slug}-2`], name: ['An organization'] },
    'PATCH /auth/v1/orgs/{org}': { slug: [slug], name: ['An organization'] },
    'PATCH /admin/v1/orgs/{org}': { slug: [slug], name: ['An organization'] },
    'POST /admin/v1/orgs': { slug: [`${slug}-3`], name: ['An organization'] },
    'PATCH /admin/v1/users': { id: [other.userId] },
    'GET /admin/v1/users': { id: [owner.userId, other.userId] },
    'DELETE /auth/v1/sessions': { id: sessions.filter(({ current }) => !current).map(({ id }) => id) },
    [`DELETE /auth/v1/orgs/{org}/api-keys`]: { id: [spareKey.id] },
    [`DELETE /auth/v1/orgs/{org}/invitations`]: { id: [pending] },
    [`GET /auth/v1/orgs/{org}/roles`]: { name: ['analyst', 'owner'] },
    [`PATCH /auth/v1/orgs/{org}/roles`]: { name: ['analyst'] },
    [`POST /auth/v1/orgs/{org}/roles`]: { name: ['fresh'] },
    [`DELETE /auth/v1/orgs/{org}/roles`]: { name: ['spare'] },
    [`POST /auth/v1/orgs/{org}/api-keys`]: { name: ['A key'] },
    'POST /auth/v1/verify': { token: [verification] },
    'POST /auth/v1/recover/complete': { token: [recovery] },
    'POST /auth/v1/invitations/accept': { token: [acceptance] },
    'GET /auth/v1/pages/verify': { token: [verification] },
    'POST /auth/v1/pages/verify': { token: [verification] },
    'GET /auth/v1/pages/recover': { token: [recovery] },
    'POST /auth/v1/pages/recover': { token: [recovery] },
    'GET /auth/v1/pages/invitation': { token: [acceptance] },
    'POST /auth/v1/pages/invitation': { token: [acceptance] },
  };
  const bySchemes: Readonly<Record<string, Credentials>> = {
    bearer: () => [`Authorization: Bearer ${owner.accessToken}`],
    api_key: () => [`X-API-Key: ${key.key}`],
    admin: () => [`Authorization: Bearer ${adminToken}`],
  };
  return {
    known: (operation, name) => knownIn(values, operation, name),
    credentials: (operation: Operation) => {
      if (operation.path.startsWith('/jobs/v1/hooks')) return [(body) => [hookSignature(body)]];
      // Who owns an organization cannot go.
      if (operation.name === 'DELETE /auth/v1/user')
        return [() => [`Authorization: Bearer ${other.accessToken}`]];
      const schemes = operation.security.map((scheme) => bySchemes[Object.keys(scheme)[0] ?? '']);
      const known = schemes.map((scheme): Credentials => scheme ?? (() => []));
      return known.length === 0 ? [() => []] : known;
    },
  };
}
