import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { EventRelay } from '../../../src/jobs/index.js';
import { AuditTrail, SYSTEM } from '../../../src/audit/index.js';
import { Database } from '../../../src/platform/database/index.js';
import type { Tx } from '../../../src/platform/database/index.js';
import { signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { isInProjects } from '../../support/profile.js';
import { endedRun, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { eventRuns, job, listener, register } from './listening.js';

const DAY_MS = 86_400_000;
const MONTH_MS = 30 * DAY_MS;

interface Waiting extends Record<string, unknown> {
  readonly event: string;
  readonly refusal: string | null;
  /** From the event until it is due. */
  readonly ms: number;
}

/** No scheduler is up: the relay works when a test says so. */
describe('a trigger whose run is due some time after the event', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let client: Client;
  let tenantId: string;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start({ ...variables, SERVICE_ROLE: 'api,worker' });
    handlers.on('failing', answer(422, {}));
  });

  afterAll(async () => {
    await service.stop();
    await Promise.all([handlers.stop(), environment.dispose()]);
  });

  beforeEach(async () => {
    ({ client, orgId: tenantId } = await signUpOwner(service.url));
  });

  async function listen(...triggers: Record<string, unknown>[]): Promise<void> {
    await register(client, listener('watch', triggers));
  }

  async function record(tx: Tx, action: 'member.added' | 'member.removed', userId: string): Promise<void> {
    await service.application.get(AuditTrail).append(tx, {
      actor: SYSTEM,
      action,
      target: { type: 'user', id: userId },
      tenantId,
      userId: null,
      origin: null,
      details: { role: 'member' },
    });
  }

  async function happens(action: 'member.added' | 'member.removed', userId: string): Promise<void> {
    await service.application.get(Database).transaction((tx) => record(tx, action, userId));
  }

  async function waiting(): Promise<Waiting[]> {
    return await environment.database.query<Waiting>(
      `SELECT event, refusal, extract(epoch FROM due_at - occurred_at)::float8 * 1000 AS ms FROM tenant_events
       WHERE tenant_id = $1 ORDER BY id`,
      [tenantId],
    );
  }

  /** Lets the time come at which whatever waits is due. */
  async function isDue(): Promise<void> {
    await environment.database.query('UPDATE tenant_events SET due_at = now() WHERE tenant_id = $1', [
      tenantId,
    ]);
  }

  async function relayed(): Promise<unknown[]> {
    while (await service.application.get(EventRelay).doSome());
    return (await eventRuns(environment.database, tenantId)).map(
      ({ body }) => body.data.user_id ?? body.type,
    );
  }

  async function relayIsDue(): Promise<boolean> {
    const { isDue: expression } = service.application.get(EventRelay);
    const [found] = await environment.database.query<{ due: boolean }>(`SELECT ${expression} AS due`);
    return found?.due === true;
  }

  it('waits so long, and then has one run with what happened at that time', async () => {
    await listen({ events: ['member.removed'], after_ms: MONTH_MS });
    await happens('member.removed', 'ana');
    expect(await waiting()).toEqual([
      { event: 'member.removed', refusal: 'waits until it is due', ms: MONTH_MS },
    ]);
    expect([await relayIsDue(), await relayed()]).toEqual([false, []]);
    await isDue();
    expect([await relayIsDue(), await relayed()]).toEqual([true, ['ana']]);
    expect([await waiting(), await relayIsDue(), await relayed()]).toEqual([[], false, ['ana']]);
  });

  it('has a run for each trigger, each at its time', async () => {
    await listen(
      { events: ['member.removed'] },
      { events: ['member.removed'], after_ms: 1 },
      { events: ['member.removed'], after_ms: 365 * DAY_MS },
    );
    await happens('member.removed', 'ana');
    expect((await waiting()).map(({ ms }) => ms)).toEqual([null, 1, 365 * DAY_MS]);
    expect(await relayed()).toHaveLength(2);
  });

  it('has none if an event that undoes it happens before, to the same subject, and commits', async () => {
    await listen({ events: ['member.removed'], after_ms: MONTH_MS, unless: ['member.added'] });
    for (const user of ['ana', 'ben', 'eve']) await happens('member.removed', user);
    await happens('member.added', 'ana');
    const rolledBack = service.application.get(Database).transaction(async (tx) => {
      await record(tx, 'member.added', 'ben');
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(await waiting()).toHaveLength(2);
    await isDue();
    // Too late: the run is due.
    await happens('member.added', 'eve');
    expect(await relayed()).toEqual(['ben', 'eve']);
  });

  it('has none whatever else waits for the same: each trigger says by itself what undoes it', async () => {
    await listen(
      { events: ['member.removed'], after_ms: MONTH_MS, unless: ['member.added'] },
      { events: ['member.removed'], after_ms: DAY_MS },
      { events: ['member.removed'], after_ms: DAY_MS, unless: ['job.paused'] },
    );
    await happens('member.removed', 'ana');
    await happens('member.added', 'ana');
    expect((await waiting()).map(({ ms }) => ms)).toEqual([DAY_MS, DAY_MS]);
  });

  it('may be undone by the event that it listens to: the last one of several counts', async () => {
    await listen({ events: ['member.removed'], after_ms: DAY_MS, unless: ['member.removed'] });
    for (const user of ['ana', 'ana', 'ben', 'ana']) await happens('member.removed', user);
    await isDue();
    expect(await relayed()).toEqual(['ben', 'ana']);
  });

  it('is not undone in another tenant', async () => {
    await listen({ events: ['member.removed'], after_ms: DAY_MS, unless: ['member.added'] });
    await happens('member.removed', 'ana');
    const here = tenantId;
    ({ orgId: tenantId } = await signUpOwner(service.url));
    await happens('member.added', 'ana');
    tenantId = here;
    expect(await waiting()).toHaveLength(1);
  });

  it('is undone without waiting for whoever has it locked, and rolls back', async () => {
    await listen({ events: ['member.removed'], after_ms: DAY_MS, unless: ['member.added'] });
    for (const user of ['ana', 'ben']) await happens('member.removed', user);
    const other = new pg.Client({ connectionString: environment.database.url });
    await other.connect();
    await other.query('BEGIN');
    await other.query('DELETE FROM tenant_events WHERE tenant_id = $1', [tenantId]);
    await happens('member.added', 'ana');
    await other.end();
    await isDue();
    expect(await relayed()).toEqual(['ben']);
    await happens('member.removed', 'eve');
    await isDue();
    expect(await relayed()).toEqual(['ben', 'eve']);
    expect(await environment.database.query('SELECT FROM undone_events')).toEqual([]);
  });

  it('is undone by a later event of the same statement', async () => {
    await listen(
      { events: ['run.cancelled'], after_ms: DAY_MS, unless: ['run.cancelled'] },
      { events: ['role.changed'], after_ms: DAY_MS, unless: ['role.changed'] },
    );
    await register(client, job('work'));
    for (let nth = 0; nth < 3; nth += 1) await trigger(client, 'work', { delay_ms: DAY_MS });
    await client.send('DELETE', '/jobs/v1/jobs/work');
    expect((await waiting()).map(({ event }) => event)).toEqual(['run.cancelled']);
    const roles = ['a', 'b', 'a', 'c', 'a'].map((role) => ({
      type: 'role.changed' as const,
      data: { role },
    }));
    await service.application.get(Database).transaction((tx) =>
      service.application.get(AuditTrail).append(tx, {
        actor: SYSTEM,
        action: 'roles.tried',
        target: null,
        tenantId,
        userId: null,
        origin: null,
        events: roles,
      }),
    );
    await isDue();
    await relayed();
    const changed = (await eventRuns(environment.database, tenantId)).flatMap(
      ({ body }) => body.data.role ?? [],
    );
    expect(changed.sort()).toEqual(['a', 'b', 'c']);
  });

  it('goes behind what has happened since', async () => {
    await listen({ events: ['member.removed'], after_ms: DAY_MS }, { events: ['member.added'] });
    await happens('member.removed', 'ana');
    await happens('member.added', 'ben');
    await isDue();
    expect(await relayed()).toEqual(['ben', 'ana']);
  });

  it('has none if its trigger went while the event was not committed', async () => {
    await listen({ events: ['member.removed'], after_ms: DAY_MS }, { events: ['member.added'] });
    await happens('member.removed', 'ana');
    await environment.database.query(
      `DELETE FROM event_triggers WHERE tenant_id = $1 AND event = 'member.removed'`,
      [tenantId],
    );
    await isDue();
    expect([await relayed(), await waiting()]).toEqual([[], []]);
  });

  it('is about the job where it is about a run: a run that succeeds undoes what a failed one began', async () => {
    const [failed, recovered] = ['run.failed', 'run.completed'];
    await listen({ events: [failed], after_ms: DAY_MS, unless: [recovered] });
    handlers.on('work', answer(200, {}));
    handlers.on('flaky', answer(422, {}));
    await register(client, job('work'), job('flaky'));
    const end = async (id: string): Promise<void> => {
      await endedRun(client, (await trigger(client, id)).id);
    };
    await end('flaky');
    await end('work');
    expect(await waiting()).toHaveLength(1);
    handlers.on('flaky', answer(200, {}));
    await end('flaky');
    expect(await waiting()).toEqual([]);
  });

  it('is undone by the end of a run though it listens to none', async () => {
    await listen({ events: ['job.paused'], after_ms: DAY_MS, unless: ['run.completed'] });
    handlers.on('work', answer(200, {}));
    await register(client, job('work'));
    await client.send('PATCH', '/jobs/v1/jobs/work', { paused: true });
    expect(await waiting()).toHaveLength(1);
    await endedRun(client, (await trigger(client, 'work')).id);
    expect(await waiting()).toEqual([]);
  });

  it('is forgotten once its job does not declare it any more, and has no run if the job is deleted', async () => {
    const later = { events: ['member.removed'], after_ms: DAY_MS };
    await register(client, listener('watch', [later]), listener('other', [later]));
    await happens('member.removed', 'ana');
    await register(client, listener('watch', [{ events: ['member.removed'] }]));
    expect(await waiting()).toHaveLength(1);
    // Another time changes what happens from now on.
    await register(client, listener('other', [{ ...later, after_ms: 2 * DAY_MS }]));
    expect((await waiting()).map(({ ms }) => ms)).toEqual([DAY_MS]);
    await client.send('DELETE', '/jobs/v1/jobs/other');
    await isDue();
    expect(await relayed()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it('is forgotten with its trigger, whatever other triggers wait for the same event', async () => {
    const [short, long] = [
      { events: ['member.removed'], after_ms: DAY_MS, unless: ['member.added'] },
      { events: ['member.removed'], after_ms: MONTH_MS },
    ];
    await listen(short, long);
    await happens('member.removed', 'ana');
    await listen(long);
    expect((await waiting()).map(({ ms }) => ms)).toEqual([MONTH_MS]);
    await listen(long, short);
    await happens('member.removed', 'ben');
    await listen(short, { ...long, after_ms: 2 * MONTH_MS });
    expect((await waiting()).map(({ ms }) => ms).sort()).toEqual([MONTH_MS, MONTH_MS, DAY_MS].sort());
  });

  it('shows as it was declared, and registers again without a change', async () => {
    const declared = {
      type: 'event',
      events: ['member.removed'],
      after_ms: MONTH_MS,
      unless: ['member.added'],
    };
    await listen(declared);
    const { body } = await client.get<{ triggers: unknown[] }>('/jobs/v1/jobs/watch');
    expect(body.triggers).toEqual([declared]);
    const again = await client.post<{ jobs: unknown[] }>('/jobs/v1/jobs', {
      jobs: [listener('watch', [declared])],
    });
    expect(again.body.jobs).toEqual([{ id: 'watch', change: 'unchanged' }]);
  });

  it.each([
    [{ events: ['run.failed'], unless: ['run.completed'] }, 'unless'],
    [{ events: ['run.failed'], after_ms: 1, unless: [] }, 'unless'],
    [{ events: ['run.failed'], after_ms: 1, unless: ['no.event'] }, 'unless[0]'],
    [{ events: ['run.failed'], after_ms: 0 }, 'after_ms'],
    [{ events: ['run.failed'], after_ms: 365 * DAY_MS + 1 }, 'after_ms'],
    [{ events: ['run.failed'], after_ms: 1.5 }, 'after_ms'],
  ])('is refused where it is declared as %j', async (declared, path) => {
    const refused = await client.post('/jobs/v1/jobs', { jobs: [listener(randomUUID(), [declared])] });
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error: { code: 'validation_failed', details: [{ path: `jobs[0].triggers[0].${path}` }] } },
    ]);
  });

  it('knows which events its profile has', async () => {
    const declared = { events: ['run.failed'], after_ms: 1, unless: ['user.created'] };
    const { status } = await client.post('/jobs/v1/jobs', { jobs: [listener('users', [declared])] });
    expect(status).toBe(isInProjects ? 200 : 400);
  });
});
