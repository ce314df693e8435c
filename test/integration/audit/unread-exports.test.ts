import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { AuditExport } from '../../../src/audit/reading/audit-export.js';
import type { TenantId } from '../../../src/http/index.js';
import { signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { rawRequest } from '../../support/raw-http.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

interface Refusal {
  error: { code: string; hint: string };
}

/** Of an entry from before entries had a limit. */
const DETAILS_BYTES = 60_000;
/** Together more than the operating system buffers for a reader that does not read. */
const ENTRIES = 400;
const FILTERS = { actor: null, action: null, target: null, since: null, until: null };

describe('the audit trail of a tenant that fills it with large entries', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let path: string;
  const readers: Socket[] = [];

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_LIMITS__AUDIT_EXPORTS: '2',
      SERVICE_SERVER__UNREAD_SECS: '1',
    });
    owner = await signUpOwner(service.url);
    path = `/auth/v1/orgs/${owner.slug}/audit`;
    await environment.database.query(
      `INSERT INTO audit_entries
         (id, chain_id, position, at, actor_type, action, org_id, details, body, prev_hash, hash)
       SELECT gen_random_uuid(), 'filled:' || $1::text, number, now(), 'system', 'test.filled', $1::uuid,
              jsonb_build_object('text', repeat('x', $3)), '{}', '\\x00', '\\x00'
       FROM generate_series(1, $2::int) AS number`,
      [owner.orgId, ENTRIES, DETAILS_BYTES],
    );
  });

  afterAll(async () => {
    for (const reader of readers) reader.destroy();
    await service.stop();
    await environment.dispose();
  });

  it('is exported in parts of limited size, each read once the reader has taken the former', async () => {
    const stream = service.application.get(AuditExport).stream(owner.orgId as TenantId, FILTERS, 'ndjson');
    let whole = 0;
    const sizes: number[] = [];
    for await (const part of stream as AsyncIterable<Buffer>) {
      sizes.push(part.length);
      whole += part.length;
    }
    expect(whole).toBeGreaterThan(ENTRIES * DETAILS_BYTES);
    expect(Math.max(...sizes)).toBeLessThan(64 * 1024 + 2 * DETAILS_BYTES);
  });

  it('is listed in pages of limited size, which together have all entries', async () => {
    let next: string | undefined = `${path}?action=test.filled&limit=100`;
    let found = 0;
    while (next !== undefined) {
      const page: { headers: Headers; body: unknown[] } = await owner.client.get<unknown[]>(next);
      expect(JSON.stringify(page.body).length).toBeLessThan(1024 * 1024);
      found += page.body.length;
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(found).toBe(ENTRIES);
  });

  it('gives a caller one place for an export for as long as its response waits, and closes one that nobody reads', async () => {
    const { hostname, port } = new URL(service.url);
    const headers = Object.entries(owner.client.headers).map(([name, value]) => `${name}: ${value}`);
    const again = (): ReturnType<typeof owner.client.get<Refusal | string>> =>
      owner.client.get<Refusal | string>(`${path}/export?action=nothing.matches`);
    const beginExport = async (): Promise<void> => {
      const reader = connect(Number(port), hostname);
      readers.push(reader);
      reader.write(rawRequest('GET', `${path}/export`, headers));
      await new Promise((resolve) => reader.once('readable', resolve));
    };
    let refused = await again();
    expect(refused.status).toBe(200);
    // One that nobody reads is closed after a second, before which a busy machine may not ask again.
    await until(async () => {
      await beginExport();
      refused = await again();
      return refused.status === 429;
    });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.body).toMatchObject({
      error: { code: 'rate_limited', hint: expect.stringContaining('limits.audit_exports') },
    });
    // Nobody reads, and nobody leaves.
    await until(async () => (await again()).status === 200);
  });

  it('gets no entry, and no operation, from a bulk request that matches no run', async () => {
    const count = async (): Promise<unknown> =>
      await environment.database.query(
        `SELECT (SELECT count(*)::int FROM audit_entries WHERE org_id = $1) AS entries,
                (SELECT count(*)::int FROM run_operations WHERE tenant_id = $1) AS operations`,
        [owner.orgId],
      );
    const before = await count();
    const filter = { payload: { text: 'x'.repeat(50_000) } };
    const answer = await owner.client.post('/jobs/v1/runs/bulk', { action: 'cancel', filter });
    expect(answer).toMatchObject({ status: 202, body: { matched: 0 } });
    expect(answer.body).not.toHaveProperty('operation_id');
    expect(await count()).toEqual(before);
  });
});
