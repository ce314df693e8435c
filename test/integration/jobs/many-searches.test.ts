import pg from 'pg';
import { signUpOwner } from '../../support/client.js';
import type { Answer, RunBody } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

const MEBIBYTE = 1024 * 1024;
const SEARCH = `/jobs/v1/runs?payload=${encodeURIComponent('{"n":1}')}`;

describe('searches by payload', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let blocker: pg.Client;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_DATABASE__POOL_SIZE: '4',
    });
    owner = await signUpOwner(service.url);
    blocker = new pg.Client({ connectionString: environment.database.url });
    await blocker.connect();
  });

  afterAll(async () => {
    await blocker.end();
    await service.stop();
    await environment.dispose();
  });

  it('of one caller leave the connections to the database to others, and are refused past their number', async () => {
    const other = await signUpOwner(service.url);
    // No search ends before this transaction.
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE runs IN ACCESS EXCLUSIVE MODE');
    const refused: Answer[] = [];
    const searches = Array.from({ length: 24 }, async () => {
      const answer = await owner.client.get(SEARCH);
      if (answer.status === 429) refused.push(answer);
    });
    // Half of limits.searches is under way.
    await until(() => refused.length === 20);
    expect((await other.client.get('/auth/v1/user')).status).toBe(200);
    expect(refused[0]?.headers.get('retry-after')).toBe('5');
    await blocker.query('ROLLBACK');
    await Promise.all(searches);
    expect((await owner.client.get(SEARCH)).status).toBe(200);
  });

  it('examine a limited number of bytes for each page, and find the rest by the next pages', async () => {
    await environment.database.query(
      `INSERT INTO runs (id, tenant_id, job_id, status, trigger, payload, payload_bytes, handler, timeout_ms,
                         retry_backoff, max_attempts, due_at, completed_at)
       SELECT 'run_01K' || lpad(number::text, 23, '0'), $1, 'a', 'completed', '{"type":"cron"}',
              json_build_object('n', number), $2, 'h', 1000, '{}', 1, '2999-01-01', now()
       FROM generate_series(1, 70) AS number`,
      [owner.orgId, MEBIBYTE],
    );
    const pages: string[][] = [];
    for (let path: string | undefined = SEARCH; path !== undefined;) {
      const { body, headers }: Answer<RunBody[]> = await owner.client.get<RunBody[]>(path);
      pages.push(body.map(({ id }) => id));
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    // 33 MiB and 33 MiB of 70: the payload that goes beyond 32 is still examined.
    expect(pages.map(({ length }) => length)).toEqual([0, 0, 1]);
  });
});
