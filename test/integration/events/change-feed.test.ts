import { Logger } from '@nestjs/common';
import { CacheInvalidation } from '../../../src/events/index.js';
import { loadConfig } from '../../../src/platform/config/index.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { PostgresProxy } from '../../support/postgres-proxy.js';
import { until } from '../../support/until.js';

describe('the feed of changes', () => {
  let environment: TestEnvironment;
  let proxy: PostgresProxy;
  let feed: CacheInvalidation;
  let heard: unknown[];

  beforeAll(async () => {
    Logger.overrideLogger(false);
    environment = await createEnvironment();
    proxy = await PostgresProxy.start(environment.database.url);
    const env = { ...environment.variables, SERVICE_DATABASE__URL: proxy.url };
    feed = new CacheInvalidation(loadConfig({ env, cwd: process.cwd() }));
    feed.onChange((change) => heard.push(change));
    heard = [];
    await feed.start();
  }, 60_000);

  afterAll(async () => {
    await feed.stop();
    await proxy.stop();
    await environment.dispose();
  });

  it('hears each change once, also when its connection is lost as it is made again', async () => {
    const isLost = proxy.lose('answer', 'LISTEN');
    proxy.cutAll();
    await isLost;
    heard = [];
    await until(() => heard.length > 0);
    expect(heard).toEqual(['everything']);
    // A second connection, made beside the first, would tell of some of these too.
    for (let sent = 1; sent <= 5; sent += 1) {
      await environment.database.query(`SELECT pg_notify('service_changes', 'run_taken:${sent}')`);
      await until(() => heard.some((change) => JSON.stringify(change).includes(`"${sent}"`)));
    }
    expect(heard).toHaveLength(6);
  });
});
