import { once } from 'node:events';
import { connect } from 'node:net';
import { addMember } from '../../../support/api-keys.js';
import { signUpOwner } from '../../../support/client.js';
import type { Answer, Client } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { endedRun, registerJobs, trigger } from '../../../support/runs.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';
import { PROMPTLY_MS } from '../../promptly.js';
import { Followed } from './followed.js';
import type { Line } from './followed.js';
import { itInOrganizations } from '../../../support/profile.js';

const TALK = `export default async (request) => {
  console.log('hello'); console.warn('careful'); console.error('ouch'); console.debug('tiny');
  return Response.json({});
}`;
const STEPS = `export default async () => {
  for (let step = 0; step < 20; step += 1) { console.log('step ' + step); await new Promise((r) => setTimeout(r, 100)); }
  return Response.json({});
}`;
const FLAKY = `export default async (request) => request.headers.get('x-service-attempt') === '1'
  ? Response.json({ error: 'not yet' }, { status: 503 }) : Response.json({})`;

describe('the logs of runs', () => {
  let environment: TestEnvironment;
  let api: ServiceProcess;
  let worker: ServiceProcess;
  let client: Client;
  let orgId: string;

  beforeAll(async () => {
    environment = await createEnvironment();
    await environment.deploy('talk', TALK);
    await environment.deploy('steps', STEPS);
    await environment.deploy('flaky', FLAKY);
    await environment.deploy(
      'flood',
      `export default () => { for (let n = 0; n < 20000; n += 1) console.log(n); return Response.json({}); }`,
    );
    [api, worker] = await Promise.all([
      ServiceProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' }),
      ServiceProcess.start({ ...environment.variables, SERVICE_ROLE: 'worker,scheduler' }),
    ]);
    ({ client, orgId } = await signUpOwner(api.url ?? ''));
    await registerJobs(client, {
      talk: {},
      steps: {},
      flood: {},
      flaky: {
        retries: 1,
        retry_backoff: { type: 'exponential', initial_ms: 50, max_ms: 50, multiplier: 1 },
      },
    });
  });

  afterAll(async () => {
    await Promise.all([api.stop(), worker.stop()]);
    await environment.dispose();
  });

  async function linesOf(path: string, from = client): Promise<Line[]> {
    const { status, body } = await from.get<Line[]>(path);
    expect(status).toBe(200);
    return body;
  }

  it('tell of queueing, of each attempt’s start and answer, of the retry and of the end, oldest first', async () => {
    const { id } = await trigger(client, 'flaky');
    await endedRun(client, id);
    const lines = await linesOf(`/jobs/v1/runs/${id}/logs`);
    expect(lines.map(({ attempt, level, message }) => [attempt, level, message])).toEqual([
      [null, 'info', 'queued (manual)'],
      [1, 'info', 'attempt 1 started'],
      [1, 'warn', expect.stringMatching(/^attempt 1 failed with status 503: not yet; retry in 50 ms$/)],
      [2, 'info', 'attempt 2 started'],
      [2, 'info', 'attempt 2 completed with status 200; the run is completed'],
    ]);
    expect(lines[0]).toMatchObject({
      run_id: id,
      job_id: 'flaky',
      at: expect.stringMatching(/Z$/) as string,
    });
  });

  it('hold what the handler prints at its level, before the end of the run', async () => {
    const { id } = await trigger(client, 'talk');
    await endedRun(client, id);
    const path = `/jobs/v1/runs/${id}/logs`;
    await until(async () => (await linesOf(path)).length === 7);
    const printed = (await linesOf(path)).filter(({ message }) => !/queued|attempt/.test(message));
    expect(printed.map(({ level, message }) => `${level} ${message}`).sort()).toEqual([
      'debug tiny',
      'error ouch',
      'info hello',
      'warn careful',
    ]);
    expect((await linesOf(`${path}?level=warn`)).map(({ level }) => level).sort()).toEqual(['error', 'warn']);
  });

  it('are listed in pages of 1 to 1000 and filtered by job, lowest level and instant', async () => {
    const { id } = await trigger(client, 'talk');
    const run = await endedRun(client, id);
    const all = await linesOf('/jobs/v1/logs?job_id=talk&limit=1000');
    expect(all.every(({ job_id }) => job_id === 'talk')).toBe(true);
    const paged: Line[] = [];
    let next: string | undefined = `/jobs/v1/logs?job_id=talk&limit=3`;
    while (next !== undefined) {
      const { body, headers }: Answer<Line[]> = await client.get<Line[]>(next);
      expect(body.length).toBeLessThanOrEqual(3);
      paged.push(...body);
      next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(paged.slice(0, all.length)).toEqual(all);
    const since = run.attempts[0]?.started_at ?? '';
    for (const { at } of await linesOf(`/jobs/v1/logs?since=${since}`))
      expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(since));
    for (const wrong of [
      'limit=0',
      'limit=1001',
      'level=loud',
      'since=yesterday',
      'since=2026-03-28',
      'since=2026-W10-1T10:00:00Z',
      'cursor=x',
      'follow=maybe',
    ])
      expect((await client.get(`/jobs/v1/logs?${wrong}`)).status).toBe(400);
    expect((await client.get('/jobs/v1/runs/run_00000000000000000000000000/logs')).status).toBe(404);
  });

  it('are listed newest first with order=desc, in pages that lead back to the first line', async () => {
    const { id } = await trigger(client, 'talk');
    await endedRun(client, id);
    const path = `/jobs/v1/runs/${id}/logs`;
    await until(async () => (await linesOf(path)).length === 7);
    const newestFirst = (await linesOf(path)).toReversed();
    expect(await linesOf(`${path}?order=desc&limit=2`)).toEqual(newestFirst.slice(0, 2));
    const paged: Line[] = [];
    let next: string | undefined = `${path}?order=desc&limit=3`;
    while (next !== undefined) {
      const { body, headers }: Answer<Line[]> = await client.get<Line[]>(next);
      paged.push(...body);
      next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(paged).toEqual(newestFirst);
    expect((await linesOf('/jobs/v1/logs?job_id=talk&level=error&order=desc&limit=1'))[0]).toMatchObject({
      run_id: id,
      message: 'ouch',
    });
    for (const wrong of ['order=newest', 'order=desc&follow=true'])
      expect(await client.get(`/jobs/v1/logs?${wrong}`)).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'order' }] } },
      });
  });

  it('reach a follower within a second, from an instance that does not run the job, and end with the run', async () => {
    const { id } = await trigger(client, 'steps');
    const followed = await Followed.open(client, `/jobs/v1/runs/${id}/logs?follow=true`);
    const delays: number[] = [];
    let seen = 0;
    await until(() => {
      for (const { at } of followed.lines.slice(seen)) delays.push(Date.now() - Date.parse(at));
      seen = followed.lines.length;
      return followed.isClosed;
    }, 20_000);
    expect(followed.hasEndEvent).toBe(true);
    expect(followed.messages().filter((message) => message.startsWith('step'))).toEqual(
      Array.from({ length: 20 }, (_, step) => `step ${step}`),
    );
    // Lines from before the follower came are older.
    const ofNew = delays.slice(4).sort((a, b) => a - b);
    expect(ofNew[Math.floor(ofNew.length * 0.75)]).toBeLessThan(PROMPTLY_MS);
    expect(followed.messages()).toEqual(
      (await linesOf(`/jobs/v1/runs/${id}/logs`)).map(({ message }) => message),
    );
  });

  it('come to a dropped follower that resumes with no line lost or doubled', async () => {
    const { id } = await trigger(client, 'steps');
    const path = `/jobs/v1/runs/${id}/logs?follow=true`;
    const told: string[] = [];
    let last: string | undefined;
    for (let cut = 0; cut < 4; cut += 1) {
      const followed = await Followed.open(client, path, last);
      await until(() => followed.lines.length >= 3 || followed.isClosed);
      followed.drop();
      await until(() => followed.isClosed);
      told.push(...followed.messages());
      last = followed.ids.at(-1) ?? last;
    }
    const rest = await Followed.open(client, path, last);
    await until(() => rest.isClosed, 20_000);
    told.push(...rest.messages());
    expect(told).toEqual((await linesOf(`/jobs/v1/runs/${id}/logs`)).map(({ message }) => message));
    expect((await Followed.open(client, path, 'nonsense')).status).toBe(400);
  });

  it('of all runs are followed from what is new', async () => {
    const followed = await Followed.open(client, '/jobs/v1/logs?follow=true&job_id=talk');
    const { id } = await trigger(client, 'talk');
    await until(() => followed.messages().some((message) => message.includes('the run is completed')));
    expect(new Set(followed.lines.map(({ run_id }) => run_id))).toEqual(new Set([id]));
    expect(followed.isClosed).toBe(false);
    followed.drop();
  });

  it('are not slowed by a follower that never reads', async () => {
    const { hostname, port } = new URL(client.url);
    const deaf = connect(Number(port), hostname);
    await once(deaf, 'connect');
    const headers = Object.entries(client.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    deaf.write(`GET /jobs/v1/logs?follow=true HTTP/1.1\r\nhost: ${hostname}\r\n${headers.join('')}\r\n`);
    deaf.pause();
    const followed = await Followed.open(client, '/jobs/v1/logs?follow=true');
    const { id } = await trigger(client, 'flood');
    await endedRun(client, id);
    await until(
      () => followed.messages().some((message) => message.includes('the run is completed')),
      20_000,
    );
    followed.drop();
    deaf.destroy();
  });

  itInOrganizations('need jobs:logs:read, and a follower who loses it is cut off', async () => {
    const stranger = await addMember(client.url, environment.database, orgId, ['jobs:runs:read']);
    expect((await stranger.client.in(orgId).get('/jobs/v1/logs')).status).toBe(403);
    const reader = await addMember(client.url, environment.database, orgId, ['jobs:logs:read']);
    const followed = await Followed.open(reader.client.in(orgId), '/jobs/v1/logs?follow=true');
    expect(followed.status).toBe(200);
    const removed = await client.send('DELETE', `/auth/v1/orgs/${orgId}/members/${reader.userId}`);
    expect(removed.status).toBe(204);
    await until(() => followed.isClosed, PROMPTLY_MS);
  });

  it('hold up no shutdown: followers are let go at once', async () => {
    const followed = await Followed.open(client, '/jobs/v1/logs?follow=true');
    const startedAt = Date.now();
    expect(await api.stop()).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    await until(() => followed.isClosed);
    api = await ServiceProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
  });
});
