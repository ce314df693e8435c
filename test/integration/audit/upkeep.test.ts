import { SchedulerRegistry } from '@nestjs/schedule';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { AuditTrail } from '../../../src/audit/audit-trail.js';
import type { Actor, AuditEvent } from '../../../src/audit/audit-entry.js';
import { anchoredHeads, AuditAnchors } from '../../../src/audit/chains/audit-anchors.js';
import { AuditRetention } from '../../../src/audit/chains/audit-retention.js';
import { AuditVerifier } from '../../../src/audit/chains/audit-verifier.js';
import { RefusalCounter } from '../../../src/audit/refusals/refusal-counter.js';
import { RefusalEntries } from '../../../src/audit/refusals/refusal-entries.js';
import { KeyRing, newId } from '../../../src/platform/crypto/index.js';
import { Database, dataSourceOptions } from '../../../src/platform/database/index.js';
import { Clock } from '../../../src/platform/lifecycle/index.js';
import { createDatabase } from '../../support/database.js';
import type { TestDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';
import { load } from '../../unit/config/loading.js';

const DAY_MS = 86_400_000;
const ANONYMOUS: Actor = { type: 'anonymous', id: null };

/** A clock that stands still, at an instant of the test's choice. */
class StoppedClock extends Clock {
  constructor(private readonly instant: Date) {
    super();
  }

  override now(): Date {
    return this.instant;
  }
}

describe('the upkeep of the audit trail', () => {
  let testDatabase: TestDatabase;
  let dataSource: DataSource;
  let database: Database;
  const keyRing = new KeyRing([randomBytes(32).toString('base64')]);

  beforeAll(async () => {
    testDatabase = await createDatabase();
    dataSource = await new DataSource(
      dataSourceOptions({ url: testDatabase.url, schema: 'service', poolSize: 8 }, []),
    ).initialize();
    database = new Database(dataSource);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await testDatabase.drop();
  });

  /** What writes entries in an instance of its own. */
  function instance(clock = new Clock()): { trail: AuditTrail; entries: RefusalEntries } {
    const trail = new AuditTrail(database, clock, keyRing, new RefusalCounter(database));
    return { trail, entries: new RefusalEntries(database, trail, load(), new SchedulerRegistry()) };
  }

  async function brokenOf(chainId: string): Promise<string[]> {
    const { broken } = await new AuditVerifier(database, keyRing).verifyChains({ chainIds: [chainId] });
    return broken.map(({ problem }) => problem);
  }

  describe('with refusals that anyone can bring about', () => {
    const instances = [0, 1].map(() => ({ get: () => instance() }));

    function refusal(action: string, ip: string, actor = ANONYMOUS): AuditEvent {
      const origin = { ip, userAgent: 'curl' };
      return { actor, action, target: null, tenantId: null, userId: null, origin, details: { route: '/x' } };
    }

    interface Entry extends Record<string, unknown> {
      ip: string | null;
      count: number | null;
      sources: number | null;
    }

    async function entriesOf(action: string): Promise<Entry[]> {
      return await testDatabase.query<Entry>(
        `SELECT ip, (details ->> 'count')::int AS count, (details ->> 'sources')::int AS sources
         FROM audit_entries WHERE action = $1 ORDER BY position`,
        [action],
      );
    }

    /** All within one minute, which then has ended. */
    async function refusedInOneMinute(action: string, refuse: () => Promise<void>): Promise<void> {
      await refuse();
      // Where the minute changed meanwhile, the counts of both are one.
      await testDatabase.query(
        `WITH gone AS (DELETE FROM audit_refusals WHERE action = $1 RETURNING *)
         INSERT INTO audit_refusals
         SELECT date_trunc('minute', now()) - interval '5 minutes', chain_id, action, source, sum(count),
                (array_agg(event))[1]
         FROM gone GROUP BY chain_id, action, source`,
        [action],
      );
    }

    it('writes one row for each minute, kind and client address, whatever their number and the instance', async () => {
      const [one, two] = instances.map(({ get }) => get());
      if (one === undefined || two === undefined) throw new Error('there are no instances');
      await refusedInOneMinute('operator.token_refused', async () => {
        await Promise.all(
          Array.from({ length: 400 }, (_, number) =>
            (number % 2 === 0 ? one : two).trail.appendAlone(
              refusal('operator.token_refused', number % 4 === 0 ? '192.0.2.1' : '192.0.2.2'),
            ),
          ),
        );
        expect(await entriesOf('operator.token_refused')).toEqual([]);
        const rows = await testDatabase.query<{ rows: number; minutes: number }>(
          `SELECT count(*)::int AS rows, count(DISTINCT date_trunc('minute', minute))::int AS minutes
           FROM audit_refusals WHERE action = 'operator.token_refused' GROUP BY source ORDER BY source`,
        );
        expect(rows.map(({ rows: count, minutes }) => count - minutes)).toEqual([0, 0]);
      });
      await Promise.all([one.entries.runOnce(), two.entries.runOnce()]);
      const entries = await entriesOf('operator.token_refused');
      expect(entries.map(({ ip, count }) => [ip, count])).toEqual([
        ['192.0.2.2', 300],
        ['192.0.2.1', 100],
      ]);
      expect(await brokenOf('deployment')).toEqual([]);
      const left = await testDatabase.query('SELECT FROM audit_refusals');
      expect(left).toEqual([]);
    });

    it('counts the addresses of one IPv6 network as one, and those past a hundred together', async () => {
      const { trail, entries } = instance();
      await refusedInOneMinute('test.many_refused', async () => {
        for (let host = 1; host <= 3; host += 1)
          await trail.appendAlone(refusal('test.many_refused', `2001:db8:0:7::${host}`));
        const ips = Array.from({ length: 149 }, (_, number) => `192.0.2.${number + 1}`);
        await Promise.all(ips.map((ip) => trail.appendAlone(refusal('test.many_refused', ip))));
      });
      await entries.runOnce();
      const written = await entriesOf('test.many_refused');
      expect(written).toHaveLength(101);
      expect(written[0]).toEqual({ ip: '2001:db8:0:7::1', count: 3, sources: null });
      expect(written.at(-1)).toEqual({ ip: null, count: 50, sources: 50 });
    });

    it('holds one chain at a time, so that it waits in no circle with a change that two chains record', async () => {
      const { trail, entries } = instance();
      const [first, second] = [newId(), newId()].sort() as [string, string];
      const denied = (orgId: string): AuditEvent => ({
        ...refusal('test.crossed', '192.0.2.1'),
        tenantId: orgId,
      });
      await refusedInOneMinute('test.crossed', async () => {
        for (const orgId of [first, second]) await trail.appendAlone(denied(orgId));
      });
      const change = (orgId: string): AuditEvent => ({ ...denied(orgId), action: 'test.changed' });
      let entered = Promise.resolve();
      await database.transaction(async (tx) => {
        await trail.append(tx, change(second));
        entered = entries.runOnce();
        await until(async () => {
          const waiting = await testDatabase.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return waiting.length === 1;
        });
        await trail.append(tx, change(first));
      });
      await entered;
      expect((await entriesOf('test.crossed')).map(({ count }) => count)).toEqual([1, 1]);
    });

    it('writes the first refusals of a caller one by one, and counts those of one that goes on', async () => {
      const { trail, entries } = instance();
      const caller = { type: 'user', id: newId() } as const;
      await refusedInOneMinute('test.denied', async () => {
        for (let time = 1; time <= 50; time += 1)
          await trail.appendAlone(refusal('test.denied', '192.0.2.1', caller));
      });
      expect(await entriesOf('test.denied')).toHaveLength(20);
      await entries.runOnce();
      expect((await entriesOf('test.denied')).slice(20)).toEqual([
        { ip: '192.0.2.1', count: 30, sources: null },
      ]);
    });
  });

  describe('with entries that are kept for 30 days', () => {
    const config = load({ SERVICE_AUDIT__RETENTION_DAYS: '30' });

    /** What an instance does that looks 30 days after an instant. */
    function retentionAfter(instant: Date): AuditRetention {
      const clock = new StoppedClock(new Date(instant.getTime() + 30 * DAY_MS));
      return new AuditRetention(config, database, keyRing, clock, new SchedulerRegistry());
    }

    async function write(orgId: string, count: number, clock?: Clock): Promise<void> {
      const { trail } = instance(clock);
      for (let number = 1; number <= count; number += 1) {
        await database.transaction((tx) =>
          trail.append(tx, {
            actor: { type: 'user', id: newId() },
            action: 'test.kept',
            target: null,
            tenantId: orgId,
            userId: null,
            origin: null,
          }),
        );
      }
    }

    /** A chain with entries on both sides of an instant. */
    async function chainAround(
      old: number,
      young: number,
    ): Promise<{ chainId: string; orgId: string; at: Date }> {
      const orgId = newId();
      await write(orgId, old);
      const at = new Date(Date.now() + 1);
      await write(orgId, young, new StoppedClock(at));
      return { chainId: `org:${orgId}`, orgId, at };
    }

    async function positionsOf(chainId: string): Promise<number[]> {
      const found = await testDatabase.query<{ position: number }>(
        'SELECT position::int AS position FROM audit_entries WHERE chain_id = $1 ORDER BY position',
        [chainId],
      );
      return found.map(({ position }) => position);
    }

    it('removes older ones from the beginning of a chain, which verifies and goes on', async () => {
      const { chainId, orgId, at } = await chainAround(1_005, 3);
      const lines: string[] = [];
      await new AuditAnchors(database, keyRing).write((line) => lines.push(line), at);
      await Promise.all([retentionAfter(at).runOnce(), retentionAfter(at).runOnce()]);
      expect(await positionsOf(chainId)).toEqual([1_006, 1_007, 1_008]);
      await write(orgId, 1);
      expect(await brokenOf(chainId)).toEqual([]);
      async function* stream(): AsyncGenerator<string> {
        yield* await Promise.resolve(lines);
      }
      const verification = await new AuditVerifier(database, keyRing).verifyChains({
        chainIds: [chainId],
        anchor: anchoredHeads(stream()),
      });
      expect(verification.broken).toEqual([]);
      await retentionAfter(new Date(Date.now() + DAY_MS)).runOnce();
      expect(await positionsOf(chainId)).toEqual([]);
      expect(await brokenOf(chainId)).toEqual([]);
      await write(orgId, 2);
      expect(await brokenOf(chainId)).toEqual([]);
    });

    it('leaves no way to remove any other entry, and what was cut off in spite of that is found', async () => {
      const { chainId, at } = await chainAround(5, 3);
      await retentionAfter(at).runOnce();
      await expect(
        testDatabase.query('DELETE FROM audit_entries WHERE chain_id = $1', [chainId]),
      ).rejects.toMatchObject({ code: '42501' });
      await testDatabase.query(
        'UPDATE audit_checkpoints SET pruned_to = 7, sealed_to = 7 WHERE chain_id = $1',
        [chainId],
      );
      await testDatabase.query('DELETE FROM audit_entries WHERE chain_id = $1 AND position < 8', [chainId]);
      expect(await brokenOf(chainId)).toEqual(['missing_entries']);
    });

    it('leaves a chain as it is that does not hold', async () => {
      const { chainId, at } = await chainAround(5, 3);
      await testDatabase.query('ALTER TABLE audit_entries DISABLE TRIGGER ALL');
      await testDatabase.query(`UPDATE audit_entries SET action = 'x' WHERE chain_id = $1 AND position = 2`, [
        chainId,
      ]);
      await testDatabase.query('ALTER TABLE audit_entries ENABLE TRIGGER ALL');
      await retentionAfter(at).runOnce();
      expect(await positionsOf(chainId)).toHaveLength(8);
      expect(await brokenOf(chainId)).toEqual(['altered_columns']);
    });
  });
});
