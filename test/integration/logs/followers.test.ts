import { jest } from '@jest/globals';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { LogFollowers } from '../../../src/jobs/logs/log-followers.js';
import { LogStream } from '../../../src/jobs/logs/log-stream.js';
import { LogRepository } from '../../../src/jobs/logs/log.repository.js';
import type { FoundLines } from '../../../src/jobs/logs/log.repository.js';
import { LogWriter } from '../../../src/jobs/logs/index.js';
import { loadConfig } from '../../../src/platform/config/index.js';
import { Database } from '../../../src/platform/database/index.js';
import type { Reader } from '../../../src/platform/database/index.js';
import type { TenantId } from '../../../src/http/index.js';
import { Client, signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { registerJobs, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';
import { Followed } from '../../slow/e2e/logs/followed.js';

/** How long after the end of a run its last lines may still arrive. */
const LAST_LINES_MS = 1_000;

/** A line is stored in the moment in which the followers look for the first time. */
class BusyLogs extends LogRepository {
  private isFirst = true;

  constructor(private readonly store: () => Promise<unknown>) {
    super();
  }

  override async settled(handle: Reader, patienceMs: number): Promise<bigint | null> {
    if (this.isFirst) await this.store();
    this.isFirst = false;
    return await super.settled(handle, patienceMs);
  }
}

/** Notes how much of a history is read, and by how many at a time. */
class WatchedLogs extends LogRepository {
  pages = 0;
  mostAtOnce = 0;
  mostBytes = 0;
  private atOnce = 0;

  override async list(...asked: Parameters<LogRepository['list']>): Promise<FoundLines> {
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    const found = await super.list(...asked);
    this.atOnce -= 1;
    this.pages += 1;
    const bytes = found.lines.reduce((sum, { message }) => sum + message.length, 0);
    this.mostBytes = Math.max(this.mostBytes, bytes);
    return found;
  }
}

const LIMITS = loadConfig({ env: {}, cwd: '/' });

interface FollowedApart {
  readonly followed: Followed;
  readonly stop: () => Promise<void>;
}

/** Logs of a tenant, or of one of its runs, as followers of their own tell them. */
async function followApart(
  followers: LogFollowers,
  tenantId: string,
  runId: string | null = null,
): Promise<FollowedApart> {
  const filter = { runId, jobId: null, level: 'debug', since: null } as const;
  const server = createServer((_, response) => {
    response.flushHeaders();
    void followers.follow(
      new LogStream(response, tenantId as TenantId, filter, 0n, LAST_LINES_MS),
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    await followers.stop();
    server.closeAllConnections();
    server.close();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { followed: await Followed.open(new Client(url), '/'), stop };
}

describe('a follower of logs', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let client: Client;
  let orgId: string;
  let runId: string;
  /** Follows a tenant without jobs from the beginning of the suite on, and lets others be the first at the program. */
  let silent: FollowedApart;
  const others: pg.Client[] = [];

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    ({ client, orgId } = await signUpOwner(service.url));
    await environment.deploy('talk', 'export default () => Response.json({})');
    await registerJobs(client, { talk: {} });
    const { orgId: other } = await signUpOwner(service.url);
    silent = await followApart(
      new LogFollowers(LIMITS, service.application.get(Database), new LogRepository()),
      other,
    );
  });

  beforeEach(async () => {
    ({ id: runId } = await trigger(client, 'talk'));
  });

  afterEach(async () => {
    await Promise.all(others.splice(0).map((other) => other.end()));
  });

  afterAll(async () => {
    await silent.stop();
    await service.stop();
    await environment.dispose();
  });

  /** A connection with a transaction that has begun to write. */
  async function openTransaction(statement: string, parameters: unknown[] = []): Promise<pg.Client> {
    const other = new pg.Client({ connectionString: environment.database.url });
    others.push(other);
    await other.connect();
    await other.query('BEGIN');
    await other.query(statement, parameters);
    return other;
  }

  const INSERT = `INSERT INTO run_logs (tenant_id, run_id, job_id, level, message) VALUES ($1, $2, 'talk', 'info', $3)`;
  const store = (message: string): Promise<unknown> =>
    environment.database.query(INSERT, [orgId, runId, message]);

  /** The first who follows, while `happens` comes between the start of the stream and its history. */
  async function withFirstFollower(
    happens: () => Promise<unknown>,
    work: (followed: Followed) => Promise<void>,
  ): Promise<void> {
    const followers = new LogFollowers(LIMITS, service.application.get(Database), new BusyLogs(happens));
    const { followed, stop } = await followApart(followers, orgId, runId);
    try {
      await work(followed);
    } finally {
      await stop();
    }
  }

  it('first gets the lines that are stored while it starts to follow', async () => {
    await withFirstFollower(
      () => store('now'),
      async (followed) => {
        await until(() => followed.messages().length === 2);
        expect(followed.messages()).toEqual(['queued (manual)', 'now']);
      },
    );
  });

  it('gets the end of a run that is deleted while it starts to follow', async () => {
    await withFirstFollower(
      () => environment.database.query('DELETE FROM runs WHERE id = $1', [runId]),
      async (followed) => {
        await until(() => followed.isClosed);
        expect(followed.hasEndEvent).toBe(true);
      },
    );
  });

  it('does not wait for transactions that write no logs, however long they take', async () => {
    await environment.database.query('CREATE TABLE IF NOT EXISTS of_a_customer (id integer)');
    await openTransaction('INSERT INTO of_a_customer VALUES (1)');
    const followed = await Followed.open(client, `/jobs/v1/runs/${runId}/logs?follow=true`);
    await until(() => followed.lines.length === 1);
    await store('now');
    await until(() => followed.lines.length === 2);
    followed.drop();
  });

  it('does not wait for the deletion of other runs, however many are deleted', async () => {
    const { id } = await trigger(client, 'talk');
    const deletion = await openTransaction('DELETE FROM runs WHERE id = $1', [id]);
    const followed = await Followed.open(client, `/jobs/v1/runs/${runId}/logs?follow=true`);
    await until(() => followed.lines.length === 1);
    await store('now');
    await until(() => followed.lines.length === 2);
    await deletion.query('ROLLBACK');
    followed.drop();
  });

  it('gets lines in the order of their ids and each once, even if a line is committed after later ones', async () => {
    const followed = await Followed.open(client, `/jobs/v1/runs/${runId}/logs?follow=true`);
    await until(() => followed.lines.length === 1);
    const writer = await openTransaction(INSERT, [orgId, runId, 'begun first']);
    await store('begun second');
    // The first follower of an instance begins with history, and one that comes later as well.
    const later = await Followed.open(client, `/jobs/v1/runs/${runId}/logs?follow=true`);
    // The second of these rounds has looked at all that is stored now, and the third comes after it.
    const rounds = jest.spyOn(service.application.get(LogRepository), 'settled');
    await until(() => rounds.mock.calls.length > 2);
    rounds.mockRestore();
    expect(followed.messages()).toEqual(['queued (manual)']);
    expect(later.messages()).toEqual(['queued (manual)']);
    await writer.query('COMMIT');
    const all = ['queued (manual)', 'begun first', 'begun second'];
    await until(() => followed.lines.length >= 3 && later.lines.length >= 3);
    await store('last');
    await until(() => followed.lines.length >= 4 && later.lines.length >= 4);
    expect(followed.messages()).toEqual([...all, 'last']);
    expect(later.messages()).toEqual([...all, 'last']);
    followed.drop();
    later.drop();
  });

  it('gets every line of many concurrent writers whose commits are out of order', async () => {
    const followed = await Followed.open(client, `/jobs/v1/runs/${runId}/logs?follow=true`);
    const second = await Followed.open(client, `/jobs/v1/logs?follow=true`);
    await until(() => followed.lines.length === 1);
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let line = 0; line < 15; line += 1) {
        const open = await openTransaction(INSERT, [orgId, runId, `${writer}.${line}`]);
        for (let trips = Math.random() * 20; trips > 0; trips -= 1) await open.query('SELECT');
        await open.query(line % 5 === 4 ? 'ROLLBACK' : 'COMMIT');
        await open.end();
      }
    });
    await Promise.all(writers);
    await until(() => followed.lines.length >= 1 + 6 * 12);
    const { body } = await client.get<{ message: string }[]>(`/jobs/v1/runs/${runId}/logs?limit=1000`);
    const all = body.map(({ message }) => message);
    expect(followed.messages()).toEqual(all);
    await until(() => second.lines.length >= 6 * 12);
    expect(second.messages()).toEqual(all.slice(1));
    followed.drop();
    second.drop();
  });

  it('gets lines of 8 KiB, stored and new ones, however many there are at once', async () => {
    const storeMany = (count: number): Promise<unknown> =>
      environment.database.query(
        `INSERT INTO run_logs (tenant_id, run_id, job_id, level, message)
         SELECT $1, $2, 'talk', 'info', repeat('x', 8192) FROM generate_series(1, $3)`,
        [orgId, runId, count],
      );
    await storeMany(700);
    const followed = await Followed.open(client, `/jobs/v1/runs/${runId}/logs?follow=true`);
    await until(() => followed.lines.length === 701 || followed.isClosed);
    expect(followed.lines.length).toBe(701);
    await storeMany(700);
    await until(() => followed.lines.length === 1401 || followed.isClosed);
    expect(followed.lines.length).toBe(1401);
    followed.drop();
  });

  it('gets every line once when several runs end at the same time', async () => {
    const ids = [runId, (await trigger(client, 'talk')).id, (await trigger(client, 'talk')).id];
    const followed = await Followed.open(client, `/jobs/v1/logs?follow=true`);
    const writer = service.application.get(LogWriter);
    const print = (id: string, message: string): void => {
      writer.write({ runId: id, attempt: 1, level: 'info', message, at: Date.now() });
    };
    for (const id of ids) print(id, `${id} first`);
    const ends = Promise.all(ids.map((id) => writer.flushRun(id)));
    for (const id of ids) print(id, `${id} last`);
    await ends;
    await writer.flush();
    const all = ids.flatMap((id) => [`${id} first`, `${id} last`]).sort();
    const stored = await environment.database.query<{ message: string }>(
      'SELECT message FROM run_logs WHERE run_id = ANY ($1) AND attempt = 1',
      [ids],
    );
    expect(stored.map(({ message }) => message).sort()).toEqual(all);
    await until(() => followed.lines.length >= all.length);
    expect(followed.messages().sort()).toEqual(all);
    followed.drop();
  });

  it('gets no line below the requested level, but still gets the end of the run', async () => {
    const path = `/jobs/v1/runs/${runId}/logs?follow=true`;
    const [errors, all] = [
      await Followed.open(client, `${path}&level=error`),
      await Followed.open(client, path),
    ];
    await environment.database.query(
      `INSERT INTO run_logs (tenant_id, run_id, job_id, level, message)
       SELECT $1, $2, 'talk', level, level FROM unnest(ARRAY['debug', 'error', 'warn', 'info']) AS level`,
      [orgId, runId],
    );
    expect((await client.post(`/jobs/v1/runs/${runId}/cancel`)).status).toBe(200);
    await until(() => errors.isClosed && all.isClosed);
    expect([errors.hasEndEvent, all.hasEndEvent]).toEqual([true, true]);
    expect(errors.messages()).toEqual(['error']);
    expect(all.messages()).toEqual(expect.arrayContaining(['debug', 'error', 'warn', 'info']));
    // Once more, from history alone.
    const late = await Followed.open(client, `${path}&level=error`);
    await until(() => late.isClosed);
    expect([late.hasEndEvent, late.messages()]).toEqual([true, ['error']]);
  });

  it('gets nothing about the runs of other tenants', async () => {
    const stranger = await signUpOwner(service.url);
    for (const query of ['', '?follow=true'])
      expect(await stranger.client.get(`/jobs/v1/runs/${runId}/logs${query}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'run_not_found' } },
      });
  });

  it('does not take the places of others, however many streams one caller opens at once', async () => {
    const path = '/jobs/v1/logs?follow=true';
    const { client: busy } = await signUpOwner(service.url);
    // All at one time: none of them finds room that another is about to take.
    const attempts = await Promise.all(Array.from({ length: 80 }, () => Followed.open(busy, path)));
    expect(attempts.filter(({ status }) => status === 200).length).toBe(50);
    const refused = await busy.get<{ error: { code: string; hint: string } }>(path);
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    expect(refused.body.error.hint).toContain('limits.log_followers');
    expect(refused.headers.get('retry-after')).toBe('5');
    const others = await Followed.open(client, path);
    expect(others.status).toBe(200);
    for (const followed of [...attempts, others]) followed.drop();
    // Who goes leaves room.
    await until(async () => {
      const again = await Followed.open(busy, path);
      again.drop();
      return again.status === 200;
    });
  });

  it('keeps little of a history in memory, however many followers request it at once and read nothing', async () => {
    await environment.database.query(
      `INSERT INTO run_logs (tenant_id, run_id, job_id, level, message)
       SELECT $1, $2, 'talk', 'info', repeat('x', 8000) FROM generate_series(1, 1000)`,
      [orgId, runId],
    );
    const logs = new WatchedLogs();
    const followers = new LogFollowers(LIMITS, service.application.get(Database), logs);
    const server = createServer((_, response) => {
      const filter = { runId, jobId: null, level: 'debug', since: null } as const;
      void followers.follow(
        new LogStream(response, orgId as TenantId, filter, 0n, LAST_LINES_MS),
        () => undefined,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const readers = Array.from({ length: 40 }, () => {
      const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
      reader.on('error', () => undefined).pause();
      reader.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
      return reader;
    });
    await until(() => logs.pages > 200);
    for (const reader of readers) reader.destroy();
    await followers.stop();
    server.close();
    expect(logs.mostAtOnce).toBeLessThanOrEqual(4);
    expect(logs.mostBytes).toBeLessThan(64 * 1024 + 10_000);
  });

  it('gets heartbeats while nothing happens, and nothing about other tenants', async () => {
    const { followed } = silent;
    await until(() => followed.beats > 0);
    expect([followed.isClosed, followed.messages()]).toEqual([false, []]);
  });
});
