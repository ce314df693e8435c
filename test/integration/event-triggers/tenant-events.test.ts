import { randomBytes } from 'node:crypto';
import { InvitationExpiry as ProjectInvitationExpiry } from '../../../src/identity/profiles/project/invitations/invitation-expiry.js';
import { AddressProof } from '../../../src/identity/sign-in/address-proof.js';
import { UserRepository } from '../../../src/identity/index.js';
import { InvitationExpiry } from '../../../src/orgs/invitations/invitation-expiry.js';
import { Database } from '../../../src/platform/database/index.js';
import { Client, PASSWORD, signUp } from '../../support/client.js';
import type { Answer } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { importLines } from '../../support/imports.js';
import { tokenOf } from '../../support/mail-server.js';
import { startMailingProjects } from '../../support/mailing-project.js';
import type { MailingProjects } from '../../support/mailing-project.js';
import type { TestProject } from '../../support/project-environment.js';
import { createProjectUser } from '../../support/project-users.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { Team } from '../orgs/team.js';
import type { InvitationBody } from '../orgs/team.js';
import { listener, register, settledRuns } from './listening.js';

const OF_TENANTS = [
  'member.added',
  'member.removed',
  'member.role_changed',
  'role.changed',
  'invitation.created',
  'invitation.accepted',
  'invitation.expired',
  'api_key.created',
  'api_key.revoked',
  'secret.changed',
];
const OF_USERS = ['user.created', 'user.verified', 'user.disabled', 'user.deleted', 'session.reuse_detected'];

/** A name that is text in SQL, in JSON and in HTML, and more than ASCII. */
const HOSTILE = `'); DROP TABLE "runs"; --</script>{"$ne":1}\\u0000 ☃ 𝕏`;

function freshAddress(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

/** Runs anew where nobody works on them: what waits stays as it came. */
const NO_WORKER = { SERVICE_ROLE: 'api,scheduler', SERVICE_JOBS__SCHEDULER_INTERVAL_MS: '100' };

function required<Body>({ status, body }: Answer<Body>): Body {
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

describe('events of an organization', () => {
  const ADMIN_TOKEN = 'the-operator-of-event-triggers';
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let team: Team;
  let owner: Client;
  let seen: number;

  beforeAll(async () => {
    environment = await createEnvironment();
    await environment.deploy('listener', 'export default () => Response.json({})');
    service = await ServiceInProcess.start({
      ...environment.variables,
      ...NO_WORKER,
      SERVICE_ADMIN__TOKEN: ADMIN_TOKEN,
    });
    team = await Team.found(service.url, environment.database);
    owner = team.owner.client;
    await register(owner, listener('watch', [{ events: OF_TENANTS }]));
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  beforeEach(async () => {
    seen = (await settledRuns(environment.database, team.orgId)).length;
  });

  /** The events since the test began, each with its data but who caused it. */
  async function events(): Promise<[string, Record<string, unknown>][]> {
    const runs = (await settledRuns(environment.database, team.orgId)).slice(seen);
    return runs.map(({ body, trigger }) => {
      expect([trigger.event.type, trigger.event.id, body.tenant]).toEqual([body.type, body.id, team.orgId]);
      const { actor, ...data } = body.data;
      expect(actor).toMatchObject({ type: expect.any(String) as unknown });
      return [body.type, data];
    });
  }

  it('tell of an invitation, of one that replaces it, of its acceptance and of the member that it gives', async () => {
    const user = await signUp(service.url);
    const first = await team.invite(user.email, 'member');
    const second = await team.invite(user.email, 'admin');
    const token = new URL(second.link ?? '').searchParams.get('token');
    required(await user.client.post('/auth/v1/invitations/accept', { token }));
    const user_id = user.userId;
    expect(await events()).toEqual([
      ['invitation.created', { invitation_id: first.id, role: 'member' }],
      ['invitation.created', { invitation_id: second.id, role: 'admin' }],
      ['invitation.accepted', { invitation_id: second.id, user_id, role: 'admin' }],
      ['member.added', { user_id, role: 'admin' }],
    ]);
  });

  it('tell of each invitation that expires once, whether a sweep ends it or the next invitation', async () => {
    const swept = await team.invite(freshAddress(), 'member');
    const renewed = await team.invite(freshAddress(), 'member');
    const accepted = await team.invite((await signUp(service.url)).email, 'member');
    const expire = async (ids: string[]): Promise<void> => {
      const expiring = 'UPDATE invitations SET expires_at = now() WHERE id = ANY ($1)';
      await environment.database.query(expiring, [ids]);
    };
    await expire([swept.id]);
    const expiry = service.application.get(InvitationExpiry);
    await Promise.all([expiry.runOnce(), expiry.runOnce()]);
    await expire([renewed.id]);
    const again = await team.invite(renewed.email, 'admin');
    await expiry.runOnce();
    expect((await events()).slice(3)).toEqual([
      ['invitation.expired', { invitation_id: swept.id, role: 'member' }],
      ['invitation.expired', { invitation_id: renewed.id, role: 'member' }],
      ['invitation.created', { invitation_id: again.id, role: 'admin' }],
    ]);
    const listed = required(await owner.get<InvitationBody[]>(`${team.path}/invitations`));
    expect(listed.slice(0, 4).map(({ id, status }) => [id, status])).toEqual([
      [again.id, 'pending'],
      [accepted.id, 'pending'],
      [renewed.id, 'expired'],
      [swept.id, 'expired'],
    ]);
    const trail = (await team.audit()).filter(({ action }) => action === 'invitation.expired');
    expect(trail.map(({ target_id }) => target_id).sort()).toEqual([swept.id, renewed.id].sort());
  });

  it('tell of changed roles of members, and of members who are removed or leave', async () => {
    const [removed, leaving] = [await team.take('member'), await team.take('member')];
    seen = (await settledRuns(environment.database, team.orgId)).length;
    required(await team.changeRole(removed, 'admin'));
    required(await owner.send('DELETE', `${team.path}/members/${removed.userId}`));
    required(await leaving.client.send('DELETE', `${team.path}/members/${leaving.userId}`));
    expect(await events()).toEqual([
      ['member.role_changed', { user_id: removed.userId, role: 'admin', former_role: 'member' }],
      ['member.removed', { user_id: removed.userId, role: 'admin' }],
      ['member.removed', { user_id: leaving.userId, role: 'member' }],
    ]);
  });

  it('tell of members whom an invitation raises, the operator changes, an import adds or who delete their account', async () => {
    const raised = await team.take('member');
    const [moved, gone] = [await signUp(service.url), await team.take('member')];
    seen = (await settledRuns(environment.database, team.orgId)).length;
    const operator = new Client(service.url).as(ADMIN_TOKEN);
    const path = `/admin/v1/orgs/${team.orgId}/members/${moved.userId}`;
    required(await operator.send('PUT', path, { role: 'member' }));
    required(await operator.send('PUT', path, { role: 'admin' }));
    required(await operator.send('DELETE', path));
    const email = freshAddress();
    const line = { email, organizations: [{ slug: team.slug, role: 'admin' }] };
    expect((await importLines(operator, '/admin/v1/users/import', [line])).body.created).toBe(1);
    required(await gone.client.send('DELETE', '/auth/v1/user', { password: PASSWORD }));
    const [imported] = await environment.database.query<{ id: string }>(
      'SELECT id FROM users WHERE email = $1',
      [email],
    );
    expect(await events()).toEqual([
      ['member.added', { user_id: moved.userId, role: 'member' }],
      ['member.role_changed', { user_id: moved.userId, role: 'admin', former_role: 'member' }],
      ['member.removed', { user_id: moved.userId, role: 'admin' }],
      ['member.added', { user_id: imported?.id, role: 'admin' }],
      ['member.removed', { user_id: gone.userId, role: 'member' }],
    ]);
    expect(raised.userId).not.toBe(moved.userId);
  });

  it('tell of roles that are created, changed and deleted', async () => {
    await team.makeRole('auditors', ['auth:audit:read']);
    const path = `${team.path}/roles/auditors`;
    required(await owner.send('PATCH', path, { permissions: ['jobs:runs:read'] }));
    required(await owner.send('DELETE', path));
    expect(await events()).toEqual([
      ['role.changed', { role: 'auditors', change: 'created', permissions: ['auth:audit:read'] }],
      ['role.changed', { role: 'auditors', change: 'updated', permissions: ['jobs:runs:read'] }],
      ['role.changed', { role: 'auditors', change: 'deleted', permissions: ['jobs:runs:read'] }],
    ]);
  });

  it('tell of API keys without the key, whatever its name is', async () => {
    const name = HOSTILE;
    const made = required(
      await owner.post<{ id: string; key: string }>(`${team.path}/api-keys`, {
        name,
        permissions: ['jobs:runs:read'],
      }),
    );
    required(await owner.send('DELETE', `${team.path}/api-keys/${made.id}`));
    expect(await events()).toEqual([
      ['api_key.created', { key_id: made.id, name, permissions: ['jobs:runs:read'] }],
      ['api_key.revoked', { key_id: made.id, name }],
    ]);
    const payloads = await environment.database.query(
      'SELECT FROM runs WHERE strpos(payload::text, $1) > 0',
      [made.key],
    );
    expect(payloads).toEqual([]);
  });

  it('tell of secrets without their values', async () => {
    for (const value of ['first value', 'second value'])
      required(await owner.send('PUT', '/vault/v1/secrets/github/webhook', { value }));
    required(await owner.send('DELETE', '/vault/v1/secrets/github/webhook'));
    const path = 'github/webhook';
    expect(await events()).toEqual([
      ['secret.changed', { path, change: 'created' }],
      ['secret.changed', { path, change: 'updated' }],
      ['secret.changed', { path, change: 'deleted' }],
    ]);
  });

  it('tell who caused them, and nothing of what was refused or rolled back', async () => {
    required(await owner.send('PUT', '/vault/v1/secrets/one', { value: 'v' }));
    expect((await owner.send('DELETE', '/vault/v1/secrets/none')).status).toBe(404);
    expect((await owner.post(`${team.path}/roles`, { name: 'x', permissions: ['a b'] })).status).toBe(400);
    const runs = (await settledRuns(environment.database, team.orgId)).slice(seen);
    expect(runs.map(({ body }) => body.data)).toEqual([
      { path: 'one', change: 'created', actor: { type: 'user', id: team.owner.userId } },
    ]);
  });

  it('begin with an organization’s own triggers: another one’s jobs hear nothing', async () => {
    const other = await Team.found(service.url, environment.database);
    await register(other.owner.client, listener('watch', [{ events: OF_TENANTS }]));
    required(await owner.send('PUT', '/vault/v1/secrets/two', { value: 'v' }));
    expect(await settledRuns(environment.database, other.orgId)).toEqual([]);
  });
});

describe('events of a project', () => {
  let running: MailingProjects;
  let project: TestProject;

  beforeAll(async () => {
    running = await startMailingProjects(NO_WORKER);
    await running.environment.deploy('listener', 'export default () => Response.json({})');
  });

  afterAll(async () => {
    await running.stop();
  });

  beforeEach(async () => {
    project = await running.project();
    await register(project.service, listener('watch', [{ events: [...OF_TENANTS, ...OF_USERS] }]));
  });

  async function events(): Promise<[string, Record<string, unknown>][]> {
    return (await settledRuns(running.environment.database, project.id)).map(({ body: { type, data } }) => {
      const shown = { ...data };
      delete shown.actor;
      return [type, shown];
    });
  }

  async function signedUpUser(): Promise<{ email: string; user_id: string; signIn: () => Promise<void> }> {
    const email = freshAddress();
    const credentials = { email, password: PASSWORD };
    const { user } = required(
      await project.anon.post<{ user: { id: string } }>('/auth/v1/signup', credentials),
    );
    const signIn = async (): Promise<void> => {
      required(await project.anon.post('/auth/v1/token?grant_type=password', credentials));
    };
    return { email, user_id: user.id, signIn };
  }

  async function verified(userId: string): Promise<void> {
    const { application } = running.service;
    await application.get(Database).transaction(async (tx) => {
      const user = await application.get(UserRepository).findById(tx, userId);
      if (user === null) throw new Error('the user is gone');
      await application.get(AddressProof).bySignUpMail(tx, user, { ip: '127.0.0.1', userAgent: null });
    });
  }

  it('tell of users who sign up, are verified, disabled and deleted, without their addresses', async () => {
    const { email, user_id } = await signedUpUser();
    await verified(user_id);
    required(await project.service.send('PATCH', `/auth/v1/users/${user_id}`, { disabled: true }));
    required(await project.service.send('DELETE', `/auth/v1/users/${user_id}`));
    expect(await events()).toEqual([
      ['user.created', { user_id }],
      ['user.verified', { user_id }],
      ['user.disabled', { user_id }],
      ['user.deleted', { user_id }],
    ]);
    const naming = 'SELECT FROM runs WHERE strpos(payload::text, $1) > 0';
    expect(await running.environment.database.query(naming, [email])).toEqual([]);
  });

  it('tell of users who are invited and accept, and of those that are imported or created', async () => {
    const email = freshAddress();
    const invited = required(
      await project.service.post<{ user: { id: string } }>('/auth/v1/invite', { email }),
    );
    const token = tokenOf(await running.mailServer.mailTo(email));
    required(await project.anon.post('/auth/v1/invite/accept', { token, password: PASSWORD }));
    const user_id = invited.user.id;
    expect(await events()).toEqual([
      ['user.created', { user_id }],
      ['invitation.created', { user_id }],
      ['user.verified', { user_id }],
      ['invitation.accepted', { user_id }],
    ]);
    const operator = new Client(running.service.url).as(running.environment.adminToken);
    const lines = [1, 2, 3].map(() => ({ email: freshAddress(), project: project.ref }));
    expect((await importLines(operator, '/admin/v1/users/import', lines)).body.created).toBe(3);
    await createProjectUser(running.service, project);
    const created = (await events()).slice(4);
    expect(created.map(([type]) => type)).toEqual(Array.from({ length: 4 }, () => 'user.created'));
    expect(new Set(created.map(([, data]) => data.user_id)).size).toBe(4);
  });

  it('tell of a user’s first sign-in of a day alone, however many sign in at once', async () => {
    const { database } = running.environment;
    const { user_id, signIn } = await signedUpUser();
    await database.query('UPDATE users SET email_verified = true WHERE id = $1', [user_id]);
    await signIn();
    expect(await events()).toEqual([['user.created', { user_id }]]);
    await register(project.service, listener('greet', [{ events: ['user.signed_in'] }]));
    await Promise.all([signIn(), signIn(), signIn()]);
    const first = ['user.signed_in', { user_id }];
    expect((await events()).slice(1)).toEqual([first]);
    await database.query('UPDATE sign_in_days SET day = day - 1 WHERE user_id = $1', [user_id]);
    await signIn();
    await signIn();
    expect((await events()).slice(1)).toEqual([first, first]);
  });

  it('tell of a sign-in whoever waits for none', async () => {
    const { database } = running.environment;
    const { user_id, signIn } = await signedUpUser();
    const waits = { events: ['user.verified'], after_ms: 86_400_000, unless: ['user.signed_in'] };
    await register(project.service, listener('remind', [waits]));
    const waiting = async (): Promise<unknown[]> =>
      await database.query(`SELECT event FROM tenant_events WHERE job_id = 'remind' AND tenant_id = $1`, [
        project.id,
      ]);
    await verified(user_id);
    expect(await waiting()).toEqual([{ event: 'user.verified' }]);
    await signIn();
    expect(await waiting()).toEqual([]);
  });

  it('tell of an invitation that expires with its user', async () => {
    const { id: user_id } = required(
      await project.service.post<{ user: { id: string } }>('/auth/v1/invite', { email: freshAddress() }),
    ).user;
    const { database } = running.environment;
    await database.query('UPDATE project_invitations SET expires_at = now() WHERE user_id = $1', [user_id]);
    await running.service.application.get(ProjectInvitationExpiry).runOnce();
    expect(await events()).toEqual([
      ['user.created', { user_id }],
      ['invitation.created', { user_id }],
      ['invitation.expired', { user_id }],
      ['user.deleted', { user_id }],
    ]);
  });

  it('tell of secrets, and of a rotated key as of a new one and a revoked one', async () => {
    required(await project.service.send('PUT', '/vault/v1/secrets/one', { value: 'v' }));
    const operator = new Client(running.service.url).as(running.environment.adminToken);
    required(await operator.post(`/admin/v1/projects/${project.ref}/keys/rotate`, { key: 'anon' }));
    const found = await events();
    expect(found).toEqual([
      ['secret.changed', { path: 'one', change: 'created' }],
      ['api_key.created', { key_id: expect.any(String) as unknown, name: 'anon' }],
      ['api_key.revoked', { key_id: expect.any(String) as unknown, name: 'anon' }],
    ]);
    expect(found[1]?.[1].key_id).not.toBe(found[2]?.[1].key_id);
  });

  it('are a project’s own: another one’s jobs hear nothing', async () => {
    const other = await running.project();
    await createProjectUser(running.service, other);
    expect(await events()).toEqual([]);
  });
});
