import { createClient } from '../../../../client/src/index.js';
import type { FollowedLine, OrganizationClient } from '../../../../client/src/index.js';
import { PASSWORD } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { fetch } from '../../../support/fetch.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';

const STEPS = 40;
const TALK = `export default async () => {
  for (let step = 0; step < ${STEPS}; step += 1) { console.log('step ' + step); await new Promise((r) => setTimeout(r, 100)); }
  return Response.json({});
}`;

describe('logs that are followed by the client', () => {
  let environment: TestEnvironment;
  let variables: Record<string, string>;
  let api: ServiceProcess;
  let worker: ServiceProcess;
  let client: OrganizationClient;
  /** Streams so far. */
  let opened = 0;

  beforeAll(async () => {
    environment = await createEnvironment();
    await environment.deploy('talk', TALK);
    const ofApi = { ...environment.variables, SERVICE_ROLE: 'api' };
    [api, worker] = await Promise.all([
      ServiceProcess.start(ofApi),
      ServiceProcess.start({ ...environment.variables, SERVICE_ROLE: 'worker,scheduler' }),
    ]);
    const url = api.url ?? '';
    // After a restart it is to be found where it was.
    variables = { ...ofApi, SERVICE_SERVER__PORT: new URL(url).port };
    client = createClient({
      url,
      fetch: async (address, init) => {
        const response = await fetch(address, init);
        if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) opened += 1;
        return response;
      },
    });
    await client.auth.signUp({ email: 'ada@example.com', password: PASSWORD });
    await client.orgs.create({ slug: 'acme', name: 'Acme' });
    await client.jobs.register([{ id: 'talk', name: 'Talk', handler: 'talk' }]);
  });

  afterAll(async () => {
    await Promise.all([api.stop(), worker.stop()]);
    await environment.dispose();
  });

  async function restart(signal: NodeJS.Signals): Promise<void> {
    await api.stop(signal);
    api = await ServiceProcess.start(variables);
  }

  /** Reads on until it ends, or `stop` says so; what was read so far is in the array at any time. */
  function reading(
    lines: AsyncIterable<FollowedLine>,
    stop: (line: FollowedLine) => boolean = () => false,
  ): { read: FollowedLine[]; done: Promise<void> } {
    const read: FollowedLine[] = [];
    const done = (async () => {
      for await (const line of lines) {
        read.push(line);
        if (stop(line)) break;
      }
    })();
    return { read, done };
  }

  function texts(lines: readonly { message: string }[]): string[] {
    return lines.map(({ message }) => message);
  }

  it('of a run are neither lost nor doubled when the service is killed and starts again', async () => {
    const run = await client.jobs.trigger('talk');
    const { read, done } = reading(client.logs.follow({ runId: run.id }));
    await until(() => read.length > 5);
    await restart('SIGKILL');
    await done;
    const stored = await client.logs.list({ runId: run.id }).all();
    expect(stored.length).toBe(STEPS + 3);
    expect(texts(read)).toEqual(texts(stored));
    expect(read.at(-1)?.message).toMatch(/the run is completed$/);
  });

  it('of all runs are not lost either when the service restarts before the first', async () => {
    const controller = new AbortController();
    opened = 0;
    const all = reading(client.logs.follow({ jobId: 'talk', signal: controller.signal }), ({ message }) =>
      message.endsWith('the run is completed'),
    );
    const connected = client.logs.follow({ signal: controller.signal });
    const first = connected.next();
    await until(() => opened === 2);
    await restart('SIGTERM');
    const run = await client.jobs.trigger('talk');
    await all.done;
    expect((await first).value).toMatchObject({ run_id: run.id, message: 'queued (manual)' });
    expect(texts(all.read)).toEqual(texts(await client.logs.list({ runId: run.id }).all()));
    await connected.return();
    controller.abort();
  });

  it('go on after a line that was read before', async () => {
    const [run] = (await client.runs.list({ status: 'completed', limit: 1 }).page()).items;
    const runId = run?.id ?? '';
    const { read, done } = reading(client.logs.follow({ runId }));
    await done;
    const rest = reading(client.logs.follow({ runId, after: read[10]?.event_id ?? '' }));
    await rest.done;
    expect(texts(rest.read)).toEqual(texts(read.slice(11)));
  });

  it('end with a refusal, and with the reason of their signal', async () => {
    await expect(client.logs.follow({ runId: 'run_0' }).next()).rejects.toMatchObject({
      code: 'run_not_found',
    });
    const controller = new AbortController();
    const next = client.logs.follow({ signal: controller.signal }).next();
    const reason = new Error('left the page');
    setImmediate(() => {
      controller.abort(reason);
    });
    await expect(next).rejects.toBe(reason);
  });
});
