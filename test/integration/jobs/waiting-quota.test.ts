import { randomUUID } from 'node:crypto';
import type { TenantId } from '../../../src/http/index.js';
import { ExchangeRepository } from '../../../src/jobs/runs/exchange/exchange.repository.js';
import { RunEnds } from '../../../src/jobs/runs/finish/run-ends.js';
import { WaitingTenantRepository } from '../../../src/jobs/runs/recovery/waiting-tenant.repository.js';
import { Database } from '../../../src/platform/database/index.js';
import { signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { ROW_COLUMN } from '../../support/profile.js';
import { makeDue, registerJobs, trigger } from '../../support/runs.js';
import { until } from '../../support/until.js';
import { HookGround } from '../hooks/hook-ground.js';

const WORKER = randomUUID();
const MAX_RUNS = 5;
const MAX_BYTES = 50_000;

/** No worker is up: what starts, starts here. */
describe('the quota of waiting runs', () => {
  let ground: HookGround;
  let client: Client;
  let tenantId: string;

  beforeAll(async () => {
    ground = await HookGround.prepare({
      SERVICE_ROLE: 'api,scheduler',
      SERVICE_JOBS__SCHEDULER_INTERVAL_MS: '100',
      SERVICE_JOBS__MAX_ORG_CONCURRENT_RUNS: '1000',
      SERVICE_LIMITS__WAITING_RUNS: String(MAX_RUNS),
      SERVICE_LIMITS__WAITING_PAYLOAD_BYTES: String(MAX_BYTES),
    });
  });

  afterAll(async () => {
    await ground.dispose();
  });

  beforeEach(async () => {
    ({ client, orgId: tenantId } = await signUpOwner(ground.service.url));
    await registerJobs(client, { work: {} });
  });

  async function sql<Row extends Record<string, unknown>>(
    text: string,
    parameters: unknown[] = [],
  ): Promise<Row[]> {
    return await ground.environment.database.query<Row>(text, parameters);
  }

  async function waiting(): Promise<{ id: string }[]> {
    return await sql('SELECT id FROM runs WHERE tenant_id = $1 AND status = $2 ORDER BY id', [
      tenantId,
      'queued',
    ]);
  }

  async function counted(): Promise<{ runs: number; bytes: number } | undefined> {
    const [found] = await sql<{ runs: number; bytes: string }>(
      'SELECT queued AS runs, queued_bytes AS bytes FROM tenant_queues WHERE tenant_id = $1',
      [tenantId],
    );
    return found && { runs: found.runs, bytes: Number(found.bytes) };
  }

  async function expectExact(): Promise<void> {
    const [actual] = await sql<{ runs: number; bytes: number }>(
      `SELECT count(*)::int AS runs, coalesce(sum(octet_length(payload::text)), 0)::int AS bytes FROM runs
       WHERE tenant_id = $1 AND status = 'queued'`,
      [tenantId],
    );
    expect(await counted()).toEqual(actual);
  }

  async function fill(body: Record<string, unknown> = { delay_ms: 3_600_000 }): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < MAX_RUNS) ids.push((await trigger(client, 'work', body)).id);
    return ids;
  }

  async function start(ids: readonly string[]): Promise<void> {
    const { application } = ground.service;
    await makeDue(ground.environment.database, ids, 3_600_000);
    const given = [{ tenantId: tenantId as TenantId, slots: ids.length }];
    const exchanged = await application
      .get(ExchangeRepository)
      .exchange(application.get(Database).autoCommit, WORKER, given);
    const claimed = exchanged.get(tenantId as TenantId)?.claimed ?? [];
    expect(claimed.map(({ id }) => id).sort()).toEqual([...ids].sort());
  }

  async function cancel(id: string | undefined): Promise<void> {
    expect((await client.post(`/jobs/v1/runs/${id}/cancel`)).status).toBeLessThan(300);
  }

  const refusal = (setting: string, value: number): unknown => ({
    status: 403,
    body: { error: { code: 'limit_reached', hint: `limits.${setting} is ${value}.` } },
  });

  it('refuses triggers, retries and webhooks beyond it, counting delayed runs, until a run starts or is cancelled', async () => {
    const ended = await trigger(client, 'work');
    await cancel(ended.id);
    const [first, second] = await fill();
    const past = refusal('waiting_runs', MAX_RUNS);
    const retry = `/jobs/v1/runs/${ended.id}/retry`;
    expect(await client.post('/jobs/v1/jobs/work/trigger')).toMatchObject(past as object);
    expect(await client.with({ 'idempotency-key': 'k' }).post('/jobs/v1/jobs/work/trigger')).toMatchObject(
      past as object,
    );
    expect(await client.post(retry)).toMatchObject(past as object);
    expect(await waiting()).toHaveLength(MAX_RUNS);
    await cancel(first);
    expect((await client.with({ 'idempotency-key': 'k' }).post('/jobs/v1/jobs/work/trigger')).status).toBe(
      202,
    );
    expect((await client.post(retry)).status).toBe(403);
    await start([second ?? '']);
    expect((await client.post(retry)).status).toBe(202);
    await expectExact();
  });

  it('answers a webhook with 403 limit_reached and accepts its redelivery once there is capacity', async () => {
    const name = await ground.hook();
    const deliver = async (id: string): Promise<number> =>
      (await ground.callSigned(name, '{}', { 'webhook-id': id })).status;
    for (let taken = 0; taken < MAX_RUNS; taken += 1) expect(await deliver(`d${taken}`)).toBe(202);
    expect(await deliver('last')).toBe(403);
    const [run] = await sql<{ id: string }>(`SELECT id FROM runs WHERE job_id = $1 LIMIT 1`, [name]);
    expect((await ground.client.post(`/jobs/v1/runs/${run?.id}/cancel`)).status).toBeLessThan(300);
    expect(await deliver('last')).toBe(202);
  });

  it('also limits the total bytes of the payloads', async () => {
    const payload = { text: 'ö'.repeat(10_000) };
    for (let taken = 0; taken < 2; taken += 1) await trigger(client, 'work', { payload });
    expect(await client.post('/jobs/v1/jobs/work/trigger', { payload })).toMatchObject(
      refusal('waiting_payload_bytes', MAX_BYTES) as object,
    );
    await trigger(client, 'work', { payload: { text: 'small' } });
    await expectExact();
  });

  it('is exceeded at most by concurrent requests, and the count stays exact under concurrency', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, place) =>
        client
          .with(place % 2 === 0 ? {} : { 'idempotency-key': `k${place}` })
          .post('/jobs/v1/jobs/work/trigger', { delay_ms: 3_600_000 }),
      ),
    );
    const taken = answers.filter(({ status }) => status === 202).length;
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(60 - taken);
    expect(taken).toBeGreaterThanOrEqual(MAX_RUNS);
    expect(await waiting()).toHaveLength(taken);
    expect((await client.post('/jobs/v1/jobs/work/trigger')).status).toBe(403);
    const ids = (await waiting()).map(({ id }) => id);
    await Promise.all([start(ids.slice(0, 3)), cancel(ids[3]), cancel(ids[4])]);
    await expectExact();
    // What waits again after an attempt has started.
    const { application } = ground.service;
    await application.get(RunEnds).recoverUntracked(WORKER, [{ id: ids[0] ?? '', fence: 1 }]);
    await expectExact();
    expect((await client.send('DELETE', '/jobs/v1/jobs/work')).status).toBeLessThan(300);
    await expectExact();
    expect((await counted())?.runs).toBe(0);
  });

  it('corrects the count after something else has changed runs', async () => {
    const [first] = await fill();
    await sql('UPDATE tenant_queues SET queued = queued + 100 WHERE tenant_id = $1', [tenantId]);
    await sql('DELETE FROM runs WHERE id = $1', [first]);
    const { application } = ground.service;
    const correct = async (): Promise<string[]> =>
      await application.get(WaitingTenantRepository).correctCounts(application.get(Database).autoCommit);
    expect((await Promise.all([correct(), correct()])).flat()).toContain(tenantId);
    await expectExact();
    expect(await correct()).not.toContain(tenantId);
  });

  it('lets all row changes of this tenant, and of no other, wait until there is capacity', async () => {
    const table = `orders_${tenantId.slice(0, 8)}`;
    await sql(`CREATE TABLE ${table} (id int, ${ROW_COLUMN} uuid)`);
    const other = await signUpOwner(ground.service.url);
    const triggers = [{ type: 'data', table: `public.${table}`, events: ['insert'] }];
    for (const who of [client, other.client]) await registerJobs(who, { work: { triggers } });
    await sql(`INSERT INTO ${table} SELECT g, $1 FROM generate_series(1, 12) g`, [tenantId]);
    await sql(`INSERT INTO ${table} VALUES (99, $1)`, [other.orgId]);
    const runsOf = async (tenant: string): Promise<string[]> =>
      (await sql<{ id: string }>('SELECT id FROM runs WHERE tenant_id = $1', [tenant])).map(({ id }) => id);
    await until(
      async () => (await runsOf(other.orgId)).length === 1 && (await waiting()).length === MAX_RUNS,
    );
    const seen = new Set<string>();
    await until(async () => {
      const ids = (await waiting()).map(({ id }) => id);
      expect(ids.length).toBeLessThanOrEqual(MAX_RUNS);
      if (ids.length > 0) await start(ids);
      for (const id of ids) seen.add(id);
      return seen.size === 12;
    });
    expect(await runsOf(tenantId)).toHaveLength(12);
    expect(await sql('SELECT FROM data_events')).toEqual([]);
    await expectExact();
  });

  it('lets scheduled instants wait until there is capacity', async () => {
    const ids = await fill();
    await registerJobs(client, {
      work: {},
      yearly: { triggers: [{ type: 'cron', schedule: '0 0 1 1 *', timezone: 'UTC' }] },
    });
    await sql(`UPDATE cron_triggers SET next_fire_at = now() WHERE tenant_id = $1`, [tenantId]);
    const trigger = async (): Promise<{ postponed: boolean; due: boolean } | undefined> =>
      (
        await sql<{ postponed: boolean; due: boolean }>(
          `SELECT postponed_until IS NOT NULL AS postponed, next_fire_at <= now() AS due FROM cron_triggers
           WHERE tenant_id = $1`,
          [tenantId],
        )
      )[0];
    await until(async () => (await trigger())?.postponed === true);
    expect(await trigger()).toEqual({ postponed: true, due: true });
    expect(await waiting()).toHaveLength(MAX_RUNS);
    await cancel(ids[0]);
    await sql('UPDATE cron_triggers SET postponed_until = now() WHERE tenant_id = $1', [tenantId]);
    await until(async () => (await trigger())?.due === false);
    expect(
      await sql(`SELECT FROM runs WHERE tenant_id = $1 AND job_id = 'yearly' AND status = 'queued'`, [
        tenantId,
      ]),
    ).toHaveLength(1);
    expect(await trigger()).toEqual({ postponed: false, due: false });
  });
});
