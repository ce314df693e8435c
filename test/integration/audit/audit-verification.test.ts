import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { AuditTrail } from '../../../src/audit/audit-trail.js';
import type { AuditEvent } from '../../../src/audit/audit-entry.js';
import { anchoredHeads, AuditAnchors } from '../../../src/audit/chains/audit-anchors.js';
import { AuditVerifier } from '../../../src/audit/chains/audit-verifier.js';
import { ChainRekey } from '../../../src/audit/chains/chain-rekey.js';
import { RefusalCounter } from '../../../src/audit/refusals/refusal-counter.js';
import { KeyRing, newId } from '../../../src/platform/crypto/index.js';
import { Database, dataSourceOptions } from '../../../src/platform/database/index.js';
import { Clock } from '../../../src/platform/lifecycle/index.js';
import { createDatabase } from '../../support/database.js';
import type { TestDatabase } from '../../support/database.js';

const ENTRIES = 5;

describe('verifying the audit trail', () => {
  let testDatabase: TestDatabase;
  let dataSource: DataSource;
  let database: Database;
  let trail: AuditTrail;
  let verifier: AuditVerifier;
  const dataKey = randomBytes(32).toString('base64');
  const keyRing = new KeyRing([dataKey]);

  beforeAll(async () => {
    testDatabase = await createDatabase();
    dataSource = await new DataSource(
      dataSourceOptions({ url: testDatabase.url, schema: 'service', poolSize: 5 }, []),
    ).initialize();
    database = new Database(dataSource);
    trail = trailUnder(keyRing);
    verifier = new AuditVerifier(database, keyRing);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await testDatabase.drop();
  });

  function trailUnder(ring: KeyRing): AuditTrail {
    return new AuditTrail(database, new Clock(), ring, new RefusalCounter(database));
  }

  function event(orgId: string, number: number): AuditEvent {
    return {
      actor: { type: 'user', id: newId() },
      action: 'member.role_changed',
      target: { type: 'user', id: newId() },
      tenantId: orgId,
      userId: null,
      origin: { ip: '127.0.0.1', userAgent: 'ünï "quoted" \\ 😀' },
      details: { number, nested: { list: [1, 2.5, null, 'x'], float: 1e21, empty: {} }, b: 1, a: 2 },
    };
  }

  /** A chain of an organization of its own. */
  async function chain(): Promise<string> {
    const orgId = newId();
    for (let number = 1; number <= ENTRIES; number += 1) await trail.appendAlone(event(orgId, number));
    return `org:${orgId}`;
  }

  async function extend(chainId: string, number: number, by = trail): Promise<void> {
    await by.appendAlone(event(chainId.replace('org:', ''), number));
  }

  async function brokenOf(chainId: string, ring = keyRing): Promise<{ position: number; problem: string }[]> {
    const { broken } = await new AuditVerifier(database, ring).verifyChains({ chainIds: [chainId] });
    return broken.map(({ position, problem }) => ({ position, problem }));
  }

  async function anchorLines(): Promise<string[]> {
    const lines: string[] = [];
    await new AuditAnchors(database, keyRing).write((line) => lines.push(line), new Date());
    return lines;
  }

  async function* streamOf(lines: readonly string[]): AsyncGenerator<string> {
    yield* await Promise.resolve(lines);
  }

  /** As somebody does who owns the database: the triggers are switched off for it. */
  async function tamper(sql: string, parameters: unknown[]): Promise<void> {
    const tables = ['audit_entries', 'audit_chains', 'audit_checkpoints'];
    for (const table of tables) await testDatabase.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL`);
    await testDatabase.query(sql, parameters);
    for (const table of tables) await testDatabase.query(`ALTER TABLE ${table} ENABLE TRIGGER ALL`);
  }

  it('finds that every chain holds, also those that many wrote to at once', async () => {
    const orgId = newId();
    await Promise.all(Array.from({ length: 40 }, (_, number) => trail.appendAlone(event(orgId, number))));
    const { chains, entries, broken } = await verifier.verifyChains({
      chainIds: [`org:${orgId}`, await chain()],
    });
    expect({ chains, entries, broken }).toEqual({ chains: 2, entries: 40 + ENTRIES, broken: [] });
  });

  it('follows a chain that is longer than one batch, while it grows', async () => {
    const orgId = newId();
    const events = Array.from({ length: 4_100 }, (_, number) => event(orgId, number));
    // In large transactions: a commit for each would take most of the test's time.
    for (let first = 0; first < events.length; first += 500)
      await database.transaction(async (tx) => {
        for (const one of events.slice(first, first + 500)) await trail.append(tx, one);
      });
    const seen: number[] = [];
    const growing = Promise.all(events.slice(0, 200).map((one) => trail.appendAlone(one)));
    const result = await verifier.verifyChains({
      chainIds: [`org:${orgId}`],
      onProgress: (entries) => seen.push(entries),
    });
    await growing;
    expect(result.broken).toEqual([]);
    expect(result.entries).toBeGreaterThanOrEqual(4_100);
    expect(seen.length).toBeGreaterThan(2);
    // Each entry is a statement of its own, which a busy machine takes 15 ms for.
  }, 240_000);

  it.each([
    [
      'a body that was altered',
      `UPDATE audit_entries SET body = replace(body, 'member.', 'nember.'), action = 'nember.role_changed'
       WHERE chain_id = $1 AND position = 3`,
      { position: 3, problem: 'altered_body' },
    ],
    [
      'a column that says something else than the body',
      `UPDATE audit_entries SET actor_id = 'somebody-else' WHERE chain_id = $1 AND position = 2`,
      { position: 2, problem: 'altered_columns' },
    ],
    [
      'details that say something else than the body',
      `UPDATE audit_entries SET details = jsonb_set(details, '{nested,list,0}', '7')
       WHERE chain_id = $1 AND position = 5`,
      { position: 5, problem: 'altered_columns' },
    ],
    [
      'a time that says something else than the body',
      `UPDATE audit_entries SET at = at - interval '1 hour' WHERE chain_id = $1 AND position = 1`,
      { position: 1, problem: 'altered_columns' },
    ],
    [
      'an entry that is missing',
      `DELETE FROM audit_entries WHERE chain_id = $1 AND position = 3`,
      { position: 3, problem: 'missing_entries' },
    ],
    [
      'a first entry that is missing',
      `DELETE FROM audit_entries WHERE chain_id = $1 AND position = 1`,
      { position: 1, problem: 'missing_entries' },
    ],
    [
      'a tail that was cut off',
      `DELETE FROM audit_entries WHERE chain_id = $1 AND position > 3`,
      { position: 4, problem: 'truncated' },
    ],
    [
      'a chain that was emptied',
      `DELETE FROM audit_entries WHERE chain_id = $1`,
      { position: 1, problem: 'truncated' },
    ],
    [
      'an entry and its hash that were rewritten',
      `UPDATE audit_entries SET body = body || ' ', hash = sha256(prev_hash || convert_to(body || ' ', 'UTF8'))
       WHERE chain_id = $1 AND position = 2`,
      { position: 3, problem: 'broken_link' },
    ],
    [
      'a last entry and its hash that were rewritten',
      `UPDATE audit_entries SET body = body || ' ', hash = sha256(prev_hash || convert_to(body || ' ', 'UTF8'))
       WHERE chain_id = $1 AND position = 5`,
      { position: 5, problem: 'altered_head' },
    ],
    [
      'entries that follow the head',
      `UPDATE audit_chains SET length = 4 WHERE id = $1`,
      { position: 5, problem: 'altered_head' },
    ],
    [
      'a head that is gone',
      `DELETE FROM audit_chains WHERE id = $1`,
      { position: 5, problem: 'missing_head' },
    ],
    [
      'a tail that was cut off together with its head',
      `WITH cut AS (DELETE FROM audit_entries WHERE chain_id = $1 AND position > 3)
       UPDATE audit_chains SET length = 3, head_hash = entry.hash, prev_hash = entry.prev_hash
       FROM audit_entries entry WHERE audit_chains.id = $1 AND chain_id = $1 AND position = 3`,
      { position: 3, problem: 'wrong_mac' },
    ],
    [
      'a last entry that was rewritten, with its hash and the head',
      `WITH forged AS (
         UPDATE audit_entries SET body = body || ' ', hash = sha256(prev_hash || convert_to(body || ' ', 'UTF8'))
         WHERE chain_id = $1 AND position = 5 RETURNING hash
       )
       UPDATE audit_chains SET head_hash = forged.hash FROM forged WHERE id = $1`,
      { position: 5, problem: 'wrong_mac' },
    ],
    [
      'MACs that were all taken away',
      `WITH bared AS (UPDATE audit_entries SET mac_key = NULL WHERE chain_id = $1)
       UPDATE audit_chains SET mac = NULL WHERE id = $1`,
      { position: 1, problem: 'missing_mac' },
    ],
    [
      'the MAC of one entry taken away',
      'UPDATE audit_entries SET mac_key = NULL WHERE chain_id = $1 AND position = 3',
      { position: 3, problem: 'missing_mac' },
    ],
    [
      'an entry that somebody without the data key has appended',
      `WITH head AS (
         UPDATE audit_chains SET length = 6, prev_hash = head_hash,
           head_hash = sha256(head_hash || convert_to(replace(body, entry.id::text, '00000000' || substr(entry.id::text, 9)), 'UTF8'))
         FROM audit_entries entry WHERE audit_chains.id = $1 AND chain_id = $1 AND position = 5
         RETURNING audit_chains.prev_hash, audit_chains.head_hash
       )
       INSERT INTO audit_entries
       SELECT ('00000000' || substr(id::text, 9))::uuid, chain_id, 6, at, actor_type, actor_id, action, target_type,
              target_id, org_id, user_id, ip, user_agent, details,
              replace(body, id::text, '00000000' || substr(id::text, 9)), head.prev_hash, head.head_hash
       FROM audit_entries, head WHERE chain_id = $1 AND position = 5`,
      { position: 6, problem: 'missing_mac' },
    ],
    [
      'a checkpoint that was made without the data key',
      `WITH pruned AS (DELETE FROM audit_entries WHERE chain_id = $1 AND position < 3)
       INSERT INTO audit_checkpoints VALUES ($1, 2, 2, sha256('x'))`,
      { problem: 'altered_checkpoint' },
    ],
  ])('finds %s', async (_, sql, found) => {
    const [intact, tampered] = [await chain(), await chain()];
    await tamper(sql, [tampered]);
    const { broken } = await verifier.verifyChains({ chainIds: [intact, tampered] });
    expect(broken).toEqual([expect.objectContaining({ chainId: tampered, ...found })]);
  });

  it('finds what was rewritten although the program has appended to it since', async () => {
    const rewritten = await chain();
    const sql = `WITH forged AS (
        UPDATE audit_entries SET body = body || ' ', hash = sha256(prev_hash || convert_to(body || ' ', 'UTF8'))
        WHERE chain_id = $1 AND position = 5 RETURNING hash
      )
      UPDATE audit_chains SET head_hash = forged.hash, mac = sha256('x') FROM forged WHERE id = $1`;
    await tamper(sql, [rewritten]);
    await extend(rewritten, 6);
    expect(await brokenOf(rewritten)).toEqual([{ position: 6, problem: 'wrong_mac' }]);
  });

  it('needs the data keys that the entries were written under, until the chains were moved to the current one', async () => {
    const newKey = randomBytes(32).toString('base64');
    const [both, onlyNew] = [new KeyRing([newKey, dataKey]), new KeyRing([newKey])];
    const rotated = await chain();
    await extend(rotated, 6, trailUnder(both));
    // An instance that has not been restarted yet.
    await extend(rotated, 7);
    expect(await brokenOf(rotated, both)).toEqual([]);
    expect(await brokenOf(rotated, onlyNew)).toEqual([{ position: 1, problem: 'unknown_key' }]);
    const moved = await new ChainRekey(database, both).run(() => undefined);
    expect(moved.refused).not.toContain(rotated);
    expect(await brokenOf(rotated, onlyNew)).toEqual([]);
    await extend(rotated, 8, trailUnder(onlyNew));
    expect(await brokenOf(rotated, onlyNew)).toEqual([]);
    await tamper(
      `UPDATE audit_entries SET body = body || ' ', hash = sha256(prev_hash || convert_to(body || ' ', 'UTF8'))
       WHERE chain_id = $1 AND position = 7`,
      [rotated],
    );
    expect(await brokenOf(rotated, onlyNew)).toEqual([{ position: 7, problem: 'rewritten' }]);
  });

  describe('against heads that were noted elsewhere', () => {
    let lines: string[];
    let anchored: string;

    beforeEach(async () => {
      anchored = await chain();
      lines = await anchorLines();
    });

    async function apart(): Promise<{ position: number; problem: string }[]> {
      expect(await new AuditAnchors(database, keyRing).examine(streamOf(lines))).toBe('genuine');
      const { broken } = await verifier.verifyChains({
        chainIds: [anchored],
        anchor: anchoredHeads(streamOf(lines)),
      });
      return broken.map(({ position, problem }) => ({ position, problem }));
    }

    it('finds nothing in a chain that has grown since', async () => {
      await extend(anchored, 6);
      expect(await apart()).toEqual([]);
    });

    it('finds that a whole chain is gone', async () => {
      await tamper('DELETE FROM audit_entries WHERE chain_id = $1', [anchored]);
      await tamper('DELETE FROM audit_chains WHERE id = $1', [anchored]);
      expect(await brokenOf(anchored)).toEqual([]);
      expect(await apart()).toEqual([{ position: 5, problem: 'missing_chain' }]);
    });

    it('finds that a chain was put back as it once was, head and MAC included', async () => {
      const [former] = await testDatabase.query<Record<string, unknown>>(
        'SELECT * FROM audit_chains WHERE id = $1',
        [anchored],
      );
      await extend(anchored, 6);
      lines = await anchorLines();
      await tamper('DELETE FROM audit_entries WHERE chain_id = $1 AND position > 5', [anchored]);
      await tamper(
        'UPDATE audit_chains SET length = 5, prev_hash = $2, head_hash = $3, mac = $4 WHERE id = $1',
        [anchored, former?.prev_hash, former?.head_hash, former?.mac],
      );
      expect(await brokenOf(anchored)).toEqual([]);
      expect(await apart()).toEqual([{ position: 6, problem: 'truncated' }]);
    });

    it('finds that a chain was removed and started again', async () => {
      await tamper('DELETE FROM audit_entries WHERE chain_id = $1', [anchored]);
      await tamper('DELETE FROM audit_chains WHERE id = $1', [anchored]);
      for (let number = 1; number <= ENTRIES + 1; number += 1) await extend(anchored, number);
      expect(await brokenOf(anchored)).toEqual([]);
      expect(await apart()).toEqual([{ position: 5, problem: 'rewritten' }]);
    });

    it('knows its own notes from others, from altered ones and from cut ones', async () => {
      const anchors = new AuditAnchors(database, keyRing);
      const altered = lines.map((line) => line.replace(/"length":\d+/, '"length":1'));
      expect(await anchors.examine(streamOf(altered))).toBe('altered');
      expect(await anchors.examine(streamOf(lines.slice(1)))).toBe('altered');
      expect(await anchors.examine(streamOf(lines.slice(0, -1)))).toBe('altered');
      expect(await anchors.examine(streamOf(['anything else']))).toBe('not_an_anchor');
      expect(await anchors.examine(streamOf([]))).toBe('not_an_anchor');
      const other = new AuditAnchors(database, new KeyRing([randomBytes(32).toString('base64')]));
      expect(await other.examine(streamOf(lines))).toBe('unknown_key');
    });
  });

  it('finds a second entry in a place that is taken', async () => {
    const forked = await chain();
    await testDatabase.query('ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_chain_id_position_key');
    await testDatabase.query(
      `INSERT INTO audit_entries
       SELECT gen_random_uuid(), chain_id, position, at, actor_type, actor_id, action, target_type, target_id,
              org_id, user_id, ip, user_agent, details, body, prev_hash, hash
       FROM audit_entries WHERE chain_id = $1 AND position = 3`,
      [forked],
    );
    const { broken } = await verifier.verifyChains({ chainIds: [forked] });
    expect(broken).toEqual([expect.objectContaining({ chainId: forked, position: 3 })]);
    expect(['forked', 'altered_columns']).toContain(broken[0]?.problem);
  });

  it.each([
    ['an entry cannot be altered', `UPDATE audit_entries SET action = 'x'`],
    ['an entry cannot be deleted', `DELETE FROM audit_entries`],
    ['the trail cannot be emptied', `TRUNCATE audit_entries`],
    ['a head cannot be altered', `UPDATE audit_chains SET head_hash = sha256('x')`],
    ['a head cannot go back', `UPDATE audit_chains SET length = length - 1`],
    ['a head cannot be deleted', `DELETE FROM audit_chains`],
    ['the heads cannot be emptied', `TRUNCATE audit_chains`],
    ['a checkpoint cannot be deleted', `DELETE FROM audit_checkpoints`],
    [
      'a chain cannot begin in its middle',
      `INSERT INTO audit_chains VALUES ('org:x', 7, sha256('a'), sha256('b'))`,
    ],
  ])('%s by ordinary statements', async (_, sql) => {
    await chain();
    await expect(testDatabase.query(sql)).rejects.toMatchObject({ code: '42501' });
  });
});
