import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ANY_CHANGE, CacheInvalidation, InvalidatedCache } from '../../../src/cache-invalidation/index.js';
import { loadConfig } from '../../../src/platform/config/index.js';
import { Database, dataSourceOptions } from '../../../src/platform/database/index.js';
import { programVariables } from '../../support/environment.js';
import { createDatabase } from '../../support/database.js';
import type { TestDatabase } from '../../support/database.js';
import { profileVariables } from '../../support/profile.js';
import { until } from '../../support/until.js';

/** One instance of the program: its connection for notifications, and a cache of user names. */
interface Instance {
  readonly changes: CacheInvalidation;
  readonly names: InvalidatedCache<string | null>;
}

const LIFETIME_MS = 30_000;

/** A load that ends when the test says so. */
function openLoad(): {
  promise: Promise<string>;
  resolve: (value: string) => void;
  reject: (error: Error) => void;
} {
  let [resolve, reject]: [(value: string) => void, (error: Error) => void] = [
    () => undefined,
    () => undefined,
  ];
  const promise = new Promise<string>((fulfil, fail) => {
    [resolve, reject] = [fulfil, fail];
  });
  return { promise, resolve, reject };
}

describe('an invalidated cache', () => {
  let testDatabase: TestDatabase;
  let dataSource: DataSource;
  let database: Database;
  let here: Instance;
  let there: Instance;
  let loads: string[];

  const start = async (): Promise<Instance> => {
    const env = {
      ...programVariables(),
      ...profileVariables(),
      SERVICE_DATABASE__URL: testDatabase.url,
      SERVICE_REDIS__URL: 'redis://127.0.0.1:1',
      SERVICE_TIMING__CACHE__LIFETIME_MS: `${LIFETIME_MS}`,
    };
    const changes = new CacheInvalidation(loadConfig({ env, cwd: process.cwd() }));
    await changes.start();
    return {
      changes,
      names: new InvalidatedCache(changes, ['user'], {
        maxEntries: 3,
        maxAbsent: 1,
        maxBytes: 100,
        bytesOf: (name) => name.length,
      }),
    };
  };

  const find = async (
    { names }: Instance,
    key: string,
    value: string | null,
    id = key,
  ): Promise<string | null> =>
    await names.find(
      key,
      () => {
        loads.push(key);
        return Promise.resolve(value);
      },
      () => [id],
    );

  const change = async (kind: 'user' | 'project', id: string): Promise<void> => {
    await database.transaction((tx) => here.changes.announce(tx, { kind, id }));
  };

  beforeAll(async () => {
    Logger.overrideLogger(false);
    testDatabase = await createDatabase();
    dataSource = new DataSource(
      dataSourceOptions({ url: testDatabase.url, schema: 'service', poolSize: 2 }, []),
    );
    await dataSource.initialize();
    database = new Database(dataSource);
  });

  beforeEach(async () => {
    loads = [];
    here = await start();
    there = await start();
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await here.changes.stop();
    await there.changes.stop();
  });

  afterAll(async () => {
    await dataSource.destroy();
    await testDatabase.drop();
  });

  it('loads a value once, and drops it on every instance when a change of its id commits', async () => {
    for (const instance of [here, there]) {
      await find(instance, 'a', 'old');
      expect(await find(instance, 'a', 'new')).toBe('old');
    }
    expect(loads).toEqual(['a', 'a']);
    await change('user', 'a');
    expect(await find(here, 'a', 'new')).toBe('new');
    await until(async () => (await find(there, 'a', 'new')) === 'new');
  });

  it('keeps entries of other ids and other kinds of changes', async () => {
    await find(here, 'a', 'old');
    await change('user', 'b');
    await change('project', 'a');
    expect(await find(here, 'a', 'new')).toBe('old');
  });

  it('drops nothing when the transaction that announces a change rolls back', async () => {
    await find(here, 'a', 'old');
    const failure = database.transaction(async (tx) => {
      await here.changes.announce(tx, { kind: 'user', id: 'a' });
      throw new Error('rolled back');
    });
    await expect(failure).rejects.toThrow('rolled back');
    expect(await find(here, 'a', 'new')).toBe('old');
  });

  it('does not keep a value whose load began before a change, and no later caller waits for that load', async () => {
    const stale = openLoad();
    const early = here.names.find(
      'a',
      () => stale.promise,
      () => ['a'],
    );
    await change('user', 'a');
    expect(await find(here, 'a', 'new')).toBe('new');
    stale.resolve('old');
    expect(await early).toBe('old');
    expect(await find(here, 'a', 'unused')).toBe('new');
  });

  it('shares one load among concurrent callers, and does not keep its failure', async () => {
    const failing = openLoad();
    const both = [1, 2].map(
      async () =>
        await here.names.find(
          'a',
          () => {
            loads.push('a');
            return failing.promise;
          },
          () => ['a'],
        ),
    );
    failing.reject(new Error('the database is away'));
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(loads).toEqual(['a']);
    expect(await find(here, 'a', 'new')).toBe('new');
  });

  it('drops an entry that depends on any change at the change of any id', async () => {
    await find(here, 'a', null, ANY_CHANGE);
    await change('user', 'b');
    expect(await find(here, 'a', 'new')).toBe('new');
  });

  it('drops everything when any id may have changed, and when notifications may have been missed', async () => {
    await find(here, 'a', 'old');
    await change('user', '*');
    expect(await find(here, 'a', 'new')).toBe('new');
    await testDatabase.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'service-changes'`,
    );
    await until(async () => (await find(here, 'a', 'newest')) === 'newest');
  });

  it('keeps absent keys apart, so that they push no value out', async () => {
    await find(here, 'a', 'kept');
    for (const key of ['x', 'y', 'z']) await find(here, key, null);
    expect(await find(here, 'a', 'unused')).toBe('kept');
    loads = [];
    await find(here, 'x', null);
    expect(loads).toEqual(['x']);
  });

  it('keeps no more than its bounds, in entries and in bytes', async () => {
    for (const key of ['a', 'b', 'c', 'd']) await find(here, key, 'old');
    expect(await find(here, 'a', 'new')).toBe('new');
    await find(here, 'large', 'x'.repeat(101));
    expect(await find(here, 'large', 'new')).toBe('new');
  });

  it('loads a value again after 30 seconds without any change', async () => {
    const now = performance.now.bind(performance);
    let elapsedMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + elapsedMs);
    await find(here, 'a', 'old');
    elapsedMs = LIFETIME_MS - 1000;
    expect(await find(here, 'a', 'new')).toBe('old');
    elapsedMs = LIFETIME_MS + 1;
    await until(async () => (await find(here, 'a', 'new')) === 'new');
    clock.mockRestore();
  });
});
