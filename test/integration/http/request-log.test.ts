import { randomBytes } from 'node:crypto';
import { PASSWORD, signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

interface Line {
  level: string;
  msg: string;
  request_id?: string;
  method?: string;
  route?: string;
  status?: number;
  ms?: number;
}

describe('the log of requests', () => {
  let environment: TestEnvironment;
  let service: ServiceProcess;
  let client: Client;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_LOG__FORMAT: 'json',
    });
    ({ client } = await signUpOwner(service.url ?? ''));
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  /** The log proper: what the program says at its start is for whoever started it. */
  function written(): string[] {
    return service.log.split('\n').filter((line) => line.startsWith('{'));
  }

  async function linesOf(requestId: string): Promise<Line[]> {
    await until(() => service.log.includes(`"request_id":"${requestId}"`));
    return written()
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => line.request_id === requestId);
  }

  it.each([
    ['GET', '/jobs/v1/runs?limit=7&cursor=%7B', '/jobs/v1/runs', 400],
    ['GET', '/jobs/v1/runs/run_of_someone', '/jobs/v1/runs/:id', 404],
    ['POST', '/jobs/v1/jobs/secret-job/trigger?token=hidden', '/jobs/v1/jobs/:id/trigger', 400],
    ['GET', '/nowhere/at/all?token=hidden', '(no route)', 404],
    ['GET', '/auth/v1/user', '/auth/v1/user', 200],
  ])('has one line for %s %s: its template, its status and its id', async (method, path, route, status) => {
    const requestId = `log-${randomBytes(6).toString('hex')}`;
    await client.with({ 'x-request-id': requestId }).send(method, path);
    const lines = await linesOf(requestId);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'info',
        msg: 'request',
        method,
        route,
        status,
        ms: expect.any(Number),
      }),
    ]);
  });

  it.each([
    ['what an open console reads', 'GET', '/auth/v1/user', 200, 'debug'],
    ['its files', 'GET', '/console/account', 200, 'debug'],
    ['what it may not see', 'GET', '/jobs/v1/runs/run_of_someone', 404, 'info'],
    ['what it changes', 'PATCH', '/auth/v1/user', 200, 'info'],
  ])('has, of the console, %s: %s %s, %d, at %s', async (_, method, path, status, level) => {
    const requestId = `log-${randomBytes(6).toString('hex')}`;
    const page = client.with({ 'x-request-id': requestId, 'x-service-console': '1' });
    await page.send(method, path, method === 'PATCH' ? { metadata: {} } : undefined);
    expect(await linesOf(requestId)).toEqual([expect.objectContaining({ status, level, msg: 'request' })]);
  });

  it('shows no query, no body, no path value and no credential', async () => {
    const requestId = `log-${randomBytes(6).toString('hex')}`;
    await client.with({ 'x-request-id': requestId }).post('/auth/v1/token?grant_type=password&token=hidden', {
      email: 'who@example.com',
      password: 'in clear text',
    });
    await linesOf(requestId);
    for (const text of [
      'hidden',
      'grant_type',
      'limit=7',
      'secret-job',
      'run_of_someone',
      'who@',
      'clear text',
    ])
      expect(written().join()).not.toContain(text);
    expect(written().join()).not.toContain(PASSWORD);
    expect(written().join()).not.toMatch(/eyJ[\w-]{10,}/);
  });

  it('goes with a measurement by the same template, so that no caller makes series without end', async () => {
    const answered = async (route: string): Promise<number> => {
      const { body } = await client.get<string>('/metrics');
      const labels = `{method="GET",route="${route}",status="404"}`;
      const sample = `service_http_request_duration_seconds_count${labels} `;
      const line = body.split('\n').find((each) => each.startsWith(sample));
      return Number(line?.slice(sample.length) ?? 0);
    };
    const routes = ['/jobs/v1/runs/:id', '(no route)'];
    const before = await Promise.all(routes.map(answered));
    for (const word of ['metered-one', 'metered-two'])
      for (const path of ['/jobs/v1/runs', '/nowhere']) await client.get(`${path}/${word}`);
    await until(async () => {
      const now = await Promise.all(routes.map(answered));
      return now.every((count, index) => count === (before[index] ?? 0) + 2);
    });
    expect((await client.get<string>('/metrics')).body).not.toContain('metered');
  });

  it('says of a failure of ours what it was, under the id that the caller was given', async () => {
    const requestId = `log-${randomBytes(6).toString('hex')}`;
    await environment.database.query('ALTER TABLE organizations RENAME COLUMN name TO title');
    const { status, body } = await client.with({ 'x-request-id': requestId }).get('/auth/v1/user');
    await environment.database.query('ALTER TABLE organizations RENAME COLUMN title TO name');
    expect(status).toBe(500);
    expect(body).toMatchObject({
      error: { code: 'internal_error', hint: expect.stringContaining(requestId) },
    });
    expect(JSON.stringify(body)).not.toMatch(/column|organizations|SELECT|\.js/);
    const failures = (await linesOf(requestId)).filter(({ level }) => level === 'error');
    expect(failures).toEqual([expect.objectContaining({ err: expect.objectContaining({ code: '42703' }) })]);
  });
});
