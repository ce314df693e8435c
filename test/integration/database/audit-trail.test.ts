import { createHash } from 'node:crypto';
import { refusalsOf } from '../../support/audit.js';
import { Client, PASSWORD, signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

interface Entry {
  chain_id: string;
  position: string;
  action: string;
  actor_type: string;
  target_id: string | null;
  details: unknown;
  body: string;
  prev_hash: Buffer;
  hash: Buffer;
}

const SIGN_IN = '/auth/v1/token?grant_type=password';

describe('the audit trail', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    const owner = await signUpOwner(service.url);
    await owner.client.post('/jobs/v1/jobs', { jobs: [] });
    const anonymous = new Client(service.url);
    // Side by side, so that entries of one chain compete for its head.
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        anonymous.post(SIGN_IN, {
          email: index % 3 === 0 ? 'nobody@example.com' : owner.email,
          password: index % 3 === 1 ? PASSWORD : 'not the password',
        }),
      ),
    );
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function chains(): Promise<Map<string, Entry[]>> {
    const entries = await environment.database.query<Entry>(
      'SELECT * FROM audit_entries ORDER BY chain_id, position',
    );
    const found = new Map<string, Entry[]>();
    for (const entry of entries) found.set(entry.chain_id, [...(found.get(entry.chain_id) ?? []), entry]);
    return found;
  }

  it.each([
    ['changed', `UPDATE audit_entries SET action = 'nothing'`],
    ['deleted', 'DELETE FROM audit_entries'],
    ['deleted all at once', 'TRUNCATE audit_entries'],
    ['deleted with its table emptied in cascade', 'TRUNCATE audit_entries CASCADE'],
  ])('cannot be %s', async (_, sql) => {
    await expect(environment.database.query(sql)).rejects.toThrow('audit entries are append-only');
  });

  it('holds each chain together by hashes that anyone can compute again', async () => {
    const found = await chains();
    expect([...found.keys()].map((chain) => chain.split(':')[0]).sort()).toEqual([
      'deployment',
      'org',
      'user',
    ]);
    for (const [chain, entries] of found) {
      let previous = Buffer.alloc(32);
      entries.forEach((entry, index) => {
        expect([chain, entry.position]).toEqual([chain, String(index + 1)]);
        expect(entry.prev_hash).toEqual(previous);
        previous = createHash('sha256').update(previous).update(entry.body, 'utf8').digest();
        expect(entry.hash).toEqual(previous);
      });
      const [head] = await environment.database.query<{ length: string; head_hash: Buffer }>(
        'SELECT length, head_hash FROM audit_chains WHERE id = $1',
        [chain],
      );
      expect(head).toEqual({ length: String(entries.length), head_hash: previous });
    }
  });

  it('has in the hashed body what its columns say', async () => {
    for (const entry of [...(await chains()).values()].flat()) {
      const body = JSON.parse(entry.body) as Record<string, unknown>;
      expect(body).toMatchObject({
        action: entry.action,
        details: entry.details,
        actor: { type: entry.actor_type },
      });
      expect((body.target as { id: string } | null)?.id ?? null).toBe(entry.target_id);
    }
  });

  it('tells of sign-ups, sessions, organizations and refused sign-ins, without a secret', async () => {
    const entries = [...(await chains()).values()].flat();
    const withAction = (wanted: string): Entry[] => entries.filter(({ action }) => action === wanted);
    expect(withAction('user.signed_up')).toHaveLength(1);
    expect(withAction('org.created')).toHaveLength(1);
    expect(withAction('session.opened')).toHaveLength(5);
    expect(withAction('session.sign_in_refused')).toHaveLength(4);
    // Those of nobody known are counted until their minute has ended.
    expect(await refusalsOf(environment.database, 'session.sign_in_refused')).toBe(8);
    expect(JSON.stringify(entries)).not.toContain(PASSWORD);
    expect(JSON.stringify(entries)).not.toContain('not the password');
  });
});
