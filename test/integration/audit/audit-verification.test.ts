import { DataSource } from 'typeorm';
import { AuditTrail } from '../../../src/audit/audit-trail.js';
import { AuditVerifier } from '../../../src/audit/audit-verifier.js';
import type { AuditEvent } from '../../../src/audit/audit-entry.js';
import { newId } from '../../../src/platform/crypto/index.js';
import { Database, dataSourceOptions } from '../../../src/platform/database/index.js';
import { Clock } from '../../../src/platform/lifecycle/index.js';
import { createDatabase } from '../../support/database.js';
import type { TestDatabase } from '../../support/database.js';

const ENTRIES = 5;

describe('verifying the audit trail', () => {
  let testDatabase: TestDatabase;
  let dataSource: DataSource;
  let trail: AuditTrail;
  let verifier: AuditVerifier;

  beforeAll(async () => {
    testDatabase = await createDatabase();
    dataSource = await new DataSource(
      dataSourceOptions({ url: testDatabase.url, poolSize: 5 }, []),
    ).initialize();
    const database = new Database(dataSource);
    trail = new AuditTrail(database, new Clock());
    verifier = new AuditVerifier(database);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await testDatabase.drop();
  });

  function event(orgId: string, number: number): AuditEvent {
    return {
      actor: { type: 'user', id: newId() },
      action: 'member.role_changed',
      target: { type: 'user', id: newId() },
      orgId,
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

  /** As somebody does who owns the database: the triggers are switched off for it. */
  async function tamper(sql: string, parameters: unknown[]): Promise<void> {
    const tables = ['audit_entries', 'audit_chains'];
    for (const table of tables) await testDatabase.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL`);
    await testDatabase.query(sql, parameters);
    for (const table of tables) await testDatabase.query(`ALTER TABLE ${table} ENABLE TRIGGER ALL`);
  }

  it('finds that every chain holds, also those that many wrote to at once', async () => {
    const orgId = newId();
    await Promise.all(Array.from({ length: 40 }, (_, number) => trail.appendAlone(event(orgId, number))));
    const { chains, entries, broken } = await verifier.verify([`org:${orgId}`, await chain()]);
    expect({ chains, entries, broken }).toEqual({ chains: 2, entries: 40 + ENTRIES, broken: [] });
  });

  it('follows a chain that is longer than one batch, while it grows', async () => {
    const orgId = newId();
    const events = Array.from({ length: 4_100 }, (_, number) => event(orgId, number));
    for (let first = 0; first < events.length; first += 100)
      await Promise.all(events.slice(first, first + 100).map((one) => trail.appendAlone(one)));
    const seen: number[] = [];
    const growing = Promise.all(events.slice(0, 200).map((one) => trail.appendAlone(one)));
    const result = await verifier.verify([`org:${orgId}`], (entries) => seen.push(entries));
    await growing;
    expect(result.broken).toEqual([]);
    expect(result.entries).toBeGreaterThanOrEqual(4_100);
    expect(seen.length).toBeGreaterThan(2);
  }, 60_000);

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
  ])('finds %s', async (_, sql, found) => {
    const [intact, tampered] = [await chain(), await chain()];
    await tamper(sql, [tampered]);
    const { broken } = await verifier.verify([intact, tampered]);
    expect(broken).toEqual([expect.objectContaining({ chainId: tampered, ...found })]);
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
    const { broken } = await verifier.verify([forked]);
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
    [
      'a chain cannot begin in its middle',
      `INSERT INTO audit_chains VALUES ('org:x', 7, sha256('a'), sha256('b'))`,
    ],
  ])('%s by ordinary statements', async (_, sql) => {
    await chain();
    await expect(testDatabase.query(sql)).rejects.toMatchObject({ code: '42501' });
  });
});
