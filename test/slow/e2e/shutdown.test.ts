import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, signUpOwner } from '../../support/client.js';
import type { SignedUp } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer, silent } from '../../support/handler-server.js';
import { endedRun, registerJobs, runIn, triggerMany } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { itInOrganizations } from '../../support/profile.js';

/** Without the scheduler's sweeps, a run starts by a wake-up or not at all. */
const WITHOUT_SWEEPS = { SERVICE_ROLE: 'api,worker' };

describe('a program that has to stop', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let variables: Record<string, string>;
  const services: ServiceProcess[] = [];

  beforeEach(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    variables = { ...environment.variables, ...handlers.variables, SERVICE_JOBS__WORKER_COUNT: '3' };
  });

  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.stop()));
    await handlers.stop();
    await environment.dispose();
  });

  async function start(more: Record<string, string> = {}): Promise<ServiceProcess> {
    const service = await ServiceProcess.start({ ...variables, ...more });
    services.push(service);
    return service;
  }

  async function ownerOf(service: ServiceProcess): Promise<SignedUp> {
    const owner = await signUpOwner(service.url ?? '');
    await registerJobs(owner.client, { job: { retries: 0 } });
    return owner;
  }

  it('is not ready, lets its runs end, keeps the waiting ones for the next start, and exits 0', async () => {
    const service = await start();
    const { client } = await ownerOf(service);
    const release: (() => void)[] = [];
    handlers.on('job', (response) => {
      release.push(() => response.end());
    });
    const ids = await triggerMany(client, 'job', 8);
    await until(() => release.length === 2);

    service.signal('SIGTERM');
    await until(async () => (await client.get('/health/ready')).status === 503);
    expect((await client.get('/health/live')).status).toBe(200);
    handlers.on('job', answer(200, { second: true }));
    for (const answerHeld of release) answerHeld();
    expect(await service.exit()).toBe(0);
    const atExit = await environment.database.query(
      'SELECT status, failures, losses, count(*)::int FROM runs GROUP BY 1, 2, 3 ORDER BY 1',
    );
    expect(atExit).toEqual([
      { status: 'completed', failures: 0, losses: 0, count: 2 },
      { status: 'queued', failures: 0, losses: 0, count: 6 },
    ]);
    expect(handlers.calls).toHaveLength(2);

    const next = client.at((await start()).url ?? '');
    for (const id of ids) {
      expect(await endedRun(next, id)).toMatchObject({ status: 'completed', attempt: 1 });
    }
    expect(handlers.calls).toHaveLength(8);
  });

  it('with five running and fifty waiting lets the five end, and the fifty run elsewhere meanwhile', async () => {
    const service = await start({ SERVICE_JOBS__WORKER_COUNT: '7' });
    const { client } = await ownerOf(service);
    const release: (() => void)[] = [];
    handlers.on('job', (response) => {
      release.push(() => response.end());
    });
    const ids = await triggerMany(client, 'job', 55);
    await until(() => release.length === 5);
    service.signal('SIGTERM');
    await until(async () => (await client.get('/health/ready')).status === 503);
    handlers.on('job', answer(200));
    await start({ SERVICE_ROLE: 'worker,scheduler' });
    await until(async () => {
      const ended = await environment.database.query(`SELECT FROM runs WHERE status = 'completed'`);
      return ended.length === 50;
    });
    expect(release).toHaveLength(5);
    for (const answerHeld of release) answerHeld();
    expect(await service.exit()).toBe(0);
    expect(handlers.runIdsOf('job').sort()).toEqual(ids.sort());
    expect(
      await environment.database.query('SELECT DISTINCT status, attempt, failures, losses FROM runs'),
    ).toEqual([{ status: 'completed', attempt: 1, failures: 0, losses: 0 }]);
  });

  it('hands back what outlasts drain_secs, uncounted, and another instance takes it at once', async () => {
    const service = await start({ SERVICE_SERVER__DRAIN_SECS: '1' });
    const { client } = await ownerOf(service);
    handlers.on('job', silent);
    const ids = await triggerMany(client, 'job', 2);
    await until(() => handlers.calls.length === 2);
    const other = await start(WITHOUT_SWEEPS);

    handlers.on('job', answer(200, { elsewhere: true }));
    service.signal('SIGTERM');
    expect(await service.exit()).toBe(0);
    for (const id of ids) {
      const ended = await endedRun(client.at(other.url ?? ''), id);
      expect(ended).toMatchObject({
        status: 'completed',
        attempt: 2,
        max_attempts: 1,
        result: { elsewhere: true },
        attempts: [{ outcome: 'interrupted' }, { outcome: 'completed' }],
      });
      const [first, second] = handlers.callsOf(id);
      expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    }
    expect(await environment.database.query('SELECT DISTINCT failures, losses FROM runs')).toEqual([
      { failures: 0, losses: 0 },
    ]);
  });

  it('does so at once with drain_secs 0, and keeps the run for the next start', async () => {
    const service = await start({ SERVICE_SERVER__DRAIN_SECS: '0' });
    const { client } = await ownerOf(service);
    handlers.on('job', silent);
    const [id = ''] = await triggerMany(client, 'job', 1);
    await runIn(client, id, ['running']);
    await until(() => handlers.calls.length === 1);
    expect(await service.stop()).toBe(0);
    handlers.on('job', answer(200));
    expect(await endedRun(client.at((await start()).url ?? ''), id)).toMatchObject({
      status: 'completed',
      attempt: 2,
    });
  });

  itInOrganizations('answers the requests that it has taken, and refuses no sign-in half-way', async () => {
    const service = await start({ SERVICE_IDENTITY__ARGON2_TIME_COST: '20' });
    const anonymous = new Client(service.url ?? '');
    const answers = Array.from({ length: 4 }, (_, index) =>
      anonymous.post('/auth/v1/signup', {
        email: `a${index}@example.com`,
        password: 'not the printed example',
      }),
    );
    await until(async () => {
      const { body } = await anonymous.get<string>('/metrics');
      return /^service_password_hashes_total [1-9]/m.test(body);
    });
    service.signal('SIGTERM');
    for (const { status } of await Promise.all(answers)) expect(status).toBe(201);
    expect(await service.exit()).toBe(0);
  });

  it('does not wait for a connection on which no request was ever made', async () => {
    const service = await start({ SERVICE_ROLE: 'api' });
    const { hostname, port } = new URL(service.url ?? '');
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    // A request on another, so that the program has taken this one by then.
    await new Client(service.url ?? '').get('/health/live');
    const began = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(10_000);
    socket.destroy();
  });

  itInOrganizations(
    'lets a slow request end within drain_secs, though no run holds the program',
    async () => {
      const service = await start();
      const body = JSON.stringify({ email: 'slow@example.com', password: 'not the printed example' });
      const sending = request(`${service.url ?? ''}/auth/v1/signup`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Content-Length': body.length },
      });
      const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
      sending.write(body.slice(0, 10));
      // Its head has arrived when a request that came after it is answered.
      await new Client(service.url ?? '').get('/health/live');
      service.signal('SIGTERM');
      // Longer than what connections get in any case.
      await delay(7000);
      sending.end(body.slice(10));
      const [response] = await answered;
      response.resume();
      expect(response.statusCode).toBe(201);
      expect(await service.exit()).toBe(0);
    },
    60_000,
  );

  itInOrganizations(
    'refuses with the one error body what comes on an open connection while it ends',
    async () => {
      const service = await start({ SERVICE_ROLE: 'api' });
      const { hostname, port } = new URL(service.url ?? '');
      const socket = connect(Number(port), hostname);
      const answered = text(socket);
      const body = JSON.stringify({ email: 'slow@example.com', password: 'not the printed example' });
      const head = ['Host: x', 'Content-Type: application/json', `Content-Length: ${body.length}`].join(
        '\r\n',
      );
      socket.write(`POST /auth/v1/signup HTTP/1.1\r\n${head}\r\n\r\n${body.slice(0, 10)}`);
      const anonymous = new Client(service.url ?? '');
      // The head above has arrived when a request that came after it is answered.
      await anonymous.get('/health/live');
      service.signal('SIGTERM');
      // It accepts no connections any more.
      await until(() =>
        anonymous.get('/health/live').then(
          () => false,
          () => true,
        ),
      );
      socket.write(`${body.slice(10)}GET /auth/v1/keys HTTP/1.1\r\nHost: x\r\n\r\n`);
      const [, taken = '', refused = ''] = (await answered).split('HTTP/1.1 ');
      expect(taken).toMatch(/^201 /);
      expect(refused).toMatch(/^503 /);
      expect(refused).toMatch(/^x-request-id: /im);
      expect(refused).toMatch(/^connection: close\r$/im);
      expect(refused).toContain('"code":"unavailable"');
      expect(await service.exit()).toBe(0);
    },
  );
});
