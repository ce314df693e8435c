import { decodeJwt } from 'jose';
import { createVerifier } from '../../../client/src/verify/index.js';
import type { VerifiedRun } from '../../../client/src/verify/index.js';
import type { TenantId } from '../../../src/http/index.js';
import { CurrentPermissions } from '../../../src/orgs/commands/current-permissions.js';
import { OrganizationDirectory } from '../../../src/orgs/directory/organization-directory.js';
import { OrganizationTenancy } from '../../../src/orgs/tenancy/tenant-resolver.js';
import { Database } from '../../../src/platform/database/index.js';
import { CONFIG } from '../../../src/platform/config/index.js';
import type { Config } from '../../../src/platform/config/index.js';
import { Client, signUpOwner } from '../../support/client.js';
import type { Answer, RunBody, SignedUp } from '../../support/client.js';
import { addMember, makeKey } from '../../support/api-keys.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { fetch } from '../../support/fetch.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { HeldCalls } from '../../support/held-calls.js';
import { endedRun, makeDue, registerJobs, runIn, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

const SOON = { type: 'exponential', initial_ms: 1, max_ms: 60_000, multiplier: 2, jitter: 0 };
const MAY_TRIGGER = ['jobs:jobs:trigger', 'data:orders:read'];
const NOT_ALLOWED = { status: 'cancelled', error: { code: 'actor_not_allowed' } };

describe('what a run may do', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let held: HeldCalls;
  let owner: SignedUp & { orgId: string; slug: string };

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    service = await ServiceInProcess.start({ ...environment.variables, ...handlers.variables });
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  beforeEach(async () => {
    held = new HeldCalls();
    handlers.on('held', held.behaviour);
    handlers.on('defer', answer(202, undefined, { 'Service-Defer': 'true' }));
    owner = await signUpOwner(service.url);
  });

  afterEach(() => {
    held.releaseAll();
  });

  async function tokenOf(runId: string, nth = 1): Promise<string> {
    await until(() => handlers.callsOf(runId).length >= nth);
    return handlers.callsOf(runId)[nth - 1]?.headers.authorization?.replace('Bearer ', '') ?? '';
  }

  /** What a handler learns of its nth call. */
  async function verified(runId: string, nth = 1): Promise<VerifiedRun> {
    const verifier = createVerifier({ url: service.url, fetch });
    return await verifier.requireRun({ authorization: `Bearer ${await tokenOf(runId, nth)}` });
  }

  async function asRun(runId: string): Promise<Client> {
    return new Client(service.url).as(await tokenOf(runId));
  }

  async function memberWith(permissions: readonly string[]): Promise<SignedUp> {
    return await addMember(service.url, environment.database, owner.orgId, permissions);
  }

  async function register(client: Client, fields: Record<string, unknown>, query = ''): Promise<Answer> {
    const job = { id: 'defer', name: 'defer', handler: 'defer', ...fields };
    return await client.in(owner.slug).post(`/jobs/v1/jobs${query}`, { jobs: [job] });
  }

  describe('for its organization', () => {
    it('is everything that run tokens may, unless its job declares less', async () => {
      await registerJobs(owner.client, { defer: {} });
      const run = await trigger(owner.client, 'defer');
      expect(await verified(run.id)).toMatchObject({
        tenant: owner.orgId,
        actor: `user:${owner.userId}`,
        permissions: ['*'],
        userId: null,
      });
      expect((await (await asRun(run.id)).get('/jobs/v1/jobs')).status).toBe(200);
    });

    it('is what its job declares, and its own steps and reports always', async () => {
      const permissions = ['jobs:runs:read', 'data:orders:*'];
      await registerJobs(owner.client, { defer: { permissions } });
      const { body: shown } = await owner.client.get('/jobs/v1/jobs/defer');
      expect(shown).toMatchObject({ acts_as: 'service', permissions });
      const { id } = await trigger(owner.client, 'defer');
      const run = await asRun(id);
      expect((await verified(id)).permissions).toEqual(permissions);
      expect((await run.get('/jobs/v1/runs')).status).toBe(200);
      for (const refused of [
        await run.get('/jobs/v1/jobs'),
        await run.post('/jobs/v1/jobs/defer/trigger'),
        await run.get('/vault/v1/secrets'),
      ])
        expect([refused.status, refused.body]).toMatchObject([403, { error: { code: 'permission_denied' } }]);
      const check = await run.post('/auth/v1/permissions/check', {
        permissions: ['data:orders:delete', 'data:invoices:read'],
      });
      expect(check.body).toEqual({ results: { 'data:orders:delete': true, 'data:invoices:read': false } });
      const step = `/jobs/v1/runs/${id}/steps/charge`;
      expect((await run.send('PUT', step, { value: 1 })).status).toBe(200);
      expect((await run.get(step)).status).toBe(200);
      const alive = await run.post<{ token: string }>(`/jobs/v1/runs/${id}/attempts/1/heartbeat`);
      expect(decodeJwt(alive.body.token).perms).toEqual(permissions);
      expect((await run.post(`/jobs/v1/runs/${id}/attempts/1/complete`)).status).toBe(200);
    });

    it('is not checked again where it stays as it is, and is in whatever changes with it', async () => {
      await register(owner.client, { permissions: ['data:orders:*'] });
      const member = await memberWith(['jobs:*:*']);
      const same = await register(member.client, { permissions: ['data:orders:*'] });
      expect([same.status, same.body]).toEqual([200, { jobs: [{ id: 'defer', change: 'unchanged' }] }]);
      const changed = await register(member.client, { permissions: ['data:orders:*'], retries: 1 });
      expect(changed.status).toBe(403);
    });

    it('bounds a run that registers jobs: it makes none without bounds, unless it has none', async () => {
      await registerJobs(owner.client, { held: { permissions: ['jobs:*:*'] }, defer: {} });
      const bounded = await asRun((await trigger(owner.client, 'held')).id);
      const unbounded = await asRun((await trigger(owner.client, 'defer')).id);
      expect((await register(bounded, { id: 'evil' })).status).toBe(403);
      expect((await register(bounded, { id: 'good', permissions: ['jobs:runs:read'] })).status).toBe(200);
      for (const [id, fields] of Object.entries({
        caller: { acts_as: 'caller' },
        told: { permissions: ['jobs:runs:read'], triggers: [{ type: 'event', events: ['secret.changed'] }] },
      }))
        expect([id, (await register(bounded, { id, ...fields })).status]).toEqual([id, 403]);
      expect((await register(unbounded, { id: 'free' })).status).toBe(200);
    });

    it('stays as it was declared when the run was accepted', async () => {
      await registerJobs(owner.client, { held: { max_concurrent_runs: 1, permissions: [] } });
      const first = await trigger(owner.client, 'held');
      const second = await trigger(owner.client, 'held');
      await registerJobs(owner.client, { held: {} });
      held.releaseAll();
      expect((await verified(first.id)).permissions).toEqual([]);
      expect((await verified(second.id)).permissions).toEqual([]);
      expect((await verified((await trigger(owner.client, 'held')).id)).permissions).toEqual(['*']);
    });

    it('is declared by nobody who does not hold it, by no program and by no run', async () => {
      const member = await memberWith(['jobs:*:*', 'data:orders:read']);
      const { key } = await makeKey(owner.client, owner.slug, ['jobs:*:*', 'data:orders:read']);
      await registerJobs(owner.client, { held: { permissions: ['jobs:*:*', 'data:orders:read'] } });
      const run = await asRun((await trigger(owner.client, 'held')).id);
      for (const client of [member.client, new Client(service.url).with({ 'x-api-key': key }), run]) {
        for (const permissions of [['data:orders:*'], ['data:orders:read', 'data:orders:delete'], ['*']])
          for (const query of ['', '?dry_run=true']) {
            const refused = await register(client, { permissions }, query);
            expect([refused.status, refused.body]).toMatchObject([
              403,
              { error: { code: 'permission_not_held' } },
            ]);
          }
        const { status } = await register(client, { permissions: ['data:orders:read', 'jobs:runs:read'] });
        expect(status).toBe(200);
      }
    });
  });

  it.each([
    [{ acts_as: 'caller', permissions: [] }, 'jobs[0].permissions'],
    [
      { acts_as: 'caller', triggers: [{ type: 'cron', schedule: '0 0 1 1 *', timezone: 'UTC' }] },
      'jobs[0].acts_as',
    ],
    [{ acts_as: 'nobody' }, 'jobs[0].acts_as'],
    [{ permissions: ['data:orders'] }, 'jobs[0].permissions[0]'],
    [{ permissions: 'data:orders:read' }, 'jobs[0].permissions'],
    [
      { permissions: Array.from({ length: 100 }, (_none, nth) => `data:orders:${'x'.repeat(30)}${nth}`) },
      'jobs[0].permissions',
    ],
  ])('is refused where it is declared as %j', async (fields, path) => {
    const refused = await register(owner.client, fields);
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error: { code: 'validation_failed', details: [{ path }] } },
    ]);
  });

  describe('as its caller', () => {
    beforeEach(async () => {
      await registerJobs(owner.client, { held: { acts_as: 'caller', max_concurrent_runs: 1 } });
    });

    /** A run of the caller that waits until `held` is released. */
    async function waitingRun(client: Client): Promise<RunBody> {
      await runIn(owner.client, (await trigger(owner.client, 'held')).id, ['running']);
      return await trigger(client.in(owner.slug), 'held');
    }

    it('is what the caller may when each attempt begins', async () => {
      const member = await memberWith(MAY_TRIGGER);
      handlers.on('fails', (response, nth, call) => {
        answer(nth === 1 ? 500 : 200, {})(response, nth, call);
      });
      await registerJobs(owner.client, {
        fails: { acts_as: 'caller', retries: 1, retry_backoff: { ...SOON, initial_ms: 3_600_000 } },
      });
      const { id } = await trigger(member.client.in(owner.slug), 'fails');
      await runIn(owner.client, id, ['retrying']);
      expect(await verified(id)).toMatchObject({
        actor: `user:${member.userId}`,
        permissions: MAY_TRIGGER,
        userId: null,
      });
      const changed = ['jobs:jobs:trigger', 'jobs:runs:read'];
      await environment.database.query(
        `UPDATE roles SET permissions = $2 WHERE org_id = $1 AND name LIKE 'r%' AND permissions = $3`,
        [owner.orgId, changed, MAY_TRIGGER],
      );
      await makeDue(environment.database, [id]);
      // Wakes the worker, which then finds the retry due.
      await trigger(owner.client, 'fails');
      await endedRun(owner.client, id);
      expect((await verified(id, 2)).permissions).toEqual(changed);
    });

    it('is all that an owner may, but for changes under /auth/v1', async () => {
      const { id } = await trigger(owner.client, 'held');
      const run = await asRun(id);
      expect((await verified(id)).permissions).toEqual(['*']);
      const created = await run.post(`/auth/v1/orgs/${owner.slug}/roles`, { name: 'x', permissions: [] });
      expect([created.status, created.body]).toMatchObject([
        403,
        { error: { code: 'run_token_not_allowed' } },
      ]);
    });

    const endings: [string, (member: SignedUp) => Promise<unknown>][] = [
      [
        'has left the organization',
        (member) => owner.client.send('DELETE', `/auth/v1/orgs/${owner.slug}/members/${member.userId}`),
      ],
      [
        'has a role that may not trigger jobs any more',
        (member) =>
          owner.client.send('PATCH', `/auth/v1/orgs/${owner.slug}/members/${member.userId}`, {
            role: 'member',
          }),
      ],
      [
        'is disabled',
        (member) =>
          environment.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [member.userId]),
      ],
      [
        'is deleted',
        (member) => environment.database.query('DELETE FROM users WHERE id = $1', [member.userId]),
      ],
      [
        'lacks the second factor that the organization requires now',
        () =>
          environment.database.query('UPDATE organizations SET require_second_factor = true WHERE id = $1', [
            owner.orgId,
          ]),
      ],
      [
        'has more permissions than a token can carry',
        (member) =>
          environment.database.query(
            `UPDATE roles SET permissions = permissions || $2::text[]
             WHERE (org_id, name) = (SELECT org_id, role FROM members WHERE user_id = $1)`,
            [member.userId, Array.from({ length: 60 }, (_none, nth) => `data:${'x'.repeat(90)}:a${nth}`)],
          ),
      ],
    ];
    it.each(endings)('is nothing once the caller %s: its handler is not called', async (_how, end) => {
      const member = await memberWith(MAY_TRIGGER);
      const { id } = await waitingRun(member.client);
      // A key reads the run whatever becomes of the owner.
      const { key } = await makeKey(owner.client, owner.slug, ['jobs:runs:read']);
      await end(member);
      held.releaseAll();
      const run = await endedRun(new Client(service.url).with({ 'x-api-key': key }), id);
      expect(run).toMatchObject({ ...NOT_ALLOWED, actor: `user:${member.userId}` });
      // Whoever may read the run need not know who set it going.
      expect(JSON.stringify([run.error, run.attempts])).not.toContain(member.userId);
      expect(run.attempts).toMatchObject([{ outcome: 'cancelled', status_code: null }]);
      expect(handlers.callsOf(id)).toEqual([]);
      await untilIdle();
    });

    /** Each run has given its place back. */
    async function untilIdle(): Promise<void> {
      await until(async () => {
        const [queue] = await environment.database.query<{
          running: number;
          queued: number;
          retrying: number;
        }>('SELECT running, queued::int, retrying::int FROM tenant_queues WHERE tenant_id = $1', [
          owner.orgId,
        ]);
        return queue?.running === 0 && queue.queued === 0 && queue.retrying === 0;
      });
    }

    it('ends with the caller’s rights while a deferred attempt goes on, at its next sign of life', async () => {
      await registerJobs(owner.client, { defer: { acts_as: 'caller' } });
      const member = await memberWith(MAY_TRIGGER);
      const { id } = await trigger(member.client.in(owner.slug), 'defer');
      const run = await asRun(id);
      const beat = `/jobs/v1/runs/${id}/attempts/1/heartbeat`;
      const alive = await run.post<{ token: string }>(beat);
      expect(decodeJwt(alive.body.token).perms).toEqual(MAY_TRIGGER);
      await owner.client.send('DELETE', `/auth/v1/orgs/${owner.slug}/members/${member.userId}`);
      const refused = await run.post(beat);
      expect([refused.status, refused.body]).toMatchObject([409, { error: { code: 'run_cancelled' } }]);
      expect(await endedRun(owner.client, id)).toMatchObject(NOT_ALLOWED);
      await untilIdle();
    });

    it('is nothing to an address that nobody has proven, where that is required', async () => {
      const { application } = service;
      const config = application.get<Config>(CONFIG);
      const demanding = { ...config, identity: { ...config.identity, requireVerifiedEmail: true } };
      const tenancy = new OrganizationTenancy(
        application.get(OrganizationDirectory),
        application.get(CurrentPermissions),
        application.get(Database),
        demanding,
      );
      const member = await memberWith(MAY_TRIGGER);
      const rights = (): Promise<unknown> =>
        tenancy.rightsOf(owner.orgId as TenantId, { type: 'user', id: member.userId });
      expect(await rights()).toBeNull();
      await environment.database.query('UPDATE users SET email_verified = true WHERE id = $1', [
        member.userId,
      ]);
      expect(await rights()).toEqual({ permissions: MAY_TRIGGER, userId: null });
    });

    it('is what its key may, and nothing once that is revoked', async () => {
      const made = await makeKey(owner.client, owner.slug, MAY_TRIGGER);
      const client = new Client(service.url).with({ 'x-api-key': made.key });
      const before = await trigger(client, 'held');
      expect(await verified(before.id)).toMatchObject({
        actor: `key:${made.id}`,
        permissions: MAY_TRIGGER,
      });
      const { id } = await trigger(client, 'held');
      await owner.client.send('DELETE', `/auth/v1/orgs/${owner.slug}/api-keys/${made.id}`);
      held.releaseAll();
      expect(await endedRun(owner.client, id)).toMatchObject(NOT_ALLOWED);
      expect(handlers.callsOf(id)).toEqual([]);
    });

    it('is, of a retry, what whoever asked for it may', async () => {
      const member = await memberWith(MAY_TRIGGER);
      const { id } = await waitingRun(member.client);
      await owner.client.send('DELETE', `/auth/v1/orgs/${owner.slug}/members/${member.userId}`);
      held.releaseAll();
      await endedRun(owner.client, id);
      const retried = await owner.client.post<RunBody>(`/jobs/v1/runs/${id}/retry`);
      expect(retried.status).toBe(202);
      expect(await verified(retried.body.id)).toMatchObject({
        actor: `user:${owner.userId}`,
        permissions: ['*'],
      });
    });

    it('is, of a run that a handler triggers, what that handler’s run may', async () => {
      const member = await memberWith(MAY_TRIGGER);
      await registerJobs(owner.client, {
        defer: { permissions: ['jobs:jobs:trigger', 'data:invoices:read'] },
        leaf: { acts_as: 'caller' },
        branch: { acts_as: 'caller' },
      });
      handlers.on('branch', answer(202, undefined, { 'Service-Defer': 'true' }));
      const bounded = await trigger(owner.client, 'defer');
      const ofService = await trigger(await asRun(bounded.id), 'leaf');
      expect((await verified(ofService.id)).permissions).toEqual(['jobs:jobs:trigger', 'data:invoices:read']);
      const branch = await trigger(member.client.in(owner.slug), 'branch');
      const ofMember = await trigger(await asRun(branch.id), 'leaf');
      expect(await verified(ofMember.id)).toMatchObject({
        actor: `run:${branch.id}`,
        permissions: MAY_TRIGGER,
      });
    });
  });
});
