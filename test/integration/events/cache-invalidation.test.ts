import { Logger } from '@nestjs/common';
import { CacheInvalidation } from '../../../src/cache-invalidation/index.js';
import { loadConfig } from '../../../src/platform/config/index.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { PostgresProxy } from '../../support/postgres-proxy.js';
import { until } from '../../support/until.js';

describe('cache invalidation', () => {
  let environment: TestEnvironment;
  let proxy: PostgresProxy;
  let invalidation: CacheInvalidation;
  let reported: unknown[];

  beforeAll(async () => {
    Logger.overrideLogger(false);
    environment = await createEnvironment();
    proxy = await PostgresProxy.start(environment.database.url);
    const env = { ...environment.variables, SERVICE_DATABASE__URL: proxy.url };
    invalidation = new CacheInvalidation(loadConfig({ env, cwd: process.cwd() }));
    invalidation.onChange((change) => reported.push(change));
    reported = [];
    await invalidation.start();
  });

  afterAll(async () => {
    await invalidation.stop();
    await proxy.stop();
    await environment.dispose();
  });

  it('reports each change once, even after the connection was lost twice in a row', async () => {
    const isLost = proxy.lose('answer', 'LISTEN');
    proxy.cutAll();
    await isLost;
    reported = [];
    await until(() => reported.length > 0);
    expect(reported).toEqual(['everything']);
    // A second connection beside the first would report some of these twice.
    for (let sent = 1; sent <= 5; sent += 1) {
      await environment.database.query(`SELECT pg_notify('service_changes', 'run_taken:${sent}')`);
      await until(() => reported.some((change) => JSON.stringify(change).includes(`"${sent}"`)));
    }
    expect(reported).toHaveLength(6);
  });
});
