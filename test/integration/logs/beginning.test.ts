import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LogFollowers } from '../../../src/jobs/logs/log-followers.js';
import type { LogPosition } from '../../../src/jobs/logs/log-line.js';
import { LogStream } from '../../../src/jobs/logs/log-stream.js';
import { LogRepository } from '../../../src/jobs/logs/log.repository.js';
import { Database } from '../../../src/platform/database/index.js';
import type { Reader } from '../../../src/platform/database/index.js';
import type { TenantId } from '../../../src/platform/http/index.js';
import { Client, signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { registerJobs, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';
import { Followed } from '../../e2e/logs/followed.js';

/** A line is stored in the moment in which the followers look from where everything is yet to come. */
class BusyLogs extends LogRepository {
  constructor(private readonly store: () => Promise<unknown>) {
    super();
  }

  override async horizon(handle: Reader): Promise<LogPosition> {
    await this.store();
    return await super.horizon(handle);
  }
}

describe('the first who follows logs', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
  }, 60_000);

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('is told the lines that are stored while the following begins', async () => {
    const { client, orgId } = await signUpOwner(service.url);
    await environment.deploy('talk', 'export default () => Response.json({})');
    await registerJobs(client, { talk: {} });
    const { id } = await trigger(client, 'talk');
    const logs = new BusyLogs(() =>
      environment.database.query(
        `INSERT INTO run_logs (tenant_id, run_id, job_id, level, message) VALUES ($1, $2, 'talk', 'info', 'now')`,
        [orgId, id],
      ),
    );
    const followers = new LogFollowers(service.application.get(Database), logs);
    const filter = { runId: id, jobId: null, level: 'debug', since: null } as const;
    const server = createServer((_, response) => {
      const begin = { xid: '0', id: '0' };
      const stream = new LogStream(response, orgId, filter, begin, () => Promise.resolve());
      void followers.follow(stream, orgId as TenantId);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const followed = await Followed.open(new Client(url), '/');
      await until(() => followed.messages().length === 2);
      expect(followed.messages()).toEqual(['queued (manual)', 'now']);
    } finally {
      await followers.stop();
      server.closeAllConnections();
      server.close();
    }
  });
});
