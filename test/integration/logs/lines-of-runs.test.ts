import { signUpOwner } from '../../support/client.js';
import type { Answer, Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer } from '../../support/handler-server.js';
import { endedRun, registerJobs, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';
import { Followed } from '../../slow/e2e/logs/followed.js';
import type { Line } from '../../slow/e2e/logs/followed.js';

const AT_ONCE = { type: 'exponential', initial_ms: 1, max_ms: 1, multiplier: 1 };

describe('the lines that follow from runs', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    handlers.on('bad', answer(500));
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start(variables);
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  async function paged(client: Client, path: string): Promise<Line[]> {
    const lines: Line[] = [];
    let next: string | undefined = path;
    while (next !== undefined) {
      const { status, body, headers }: Answer<Line[]> = await client.get<Line[]>(next);
      expect(status).toBe(200);
      lines.push(...body);
      next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1];
    }
    return lines;
  }

  it('are in the list of the run, in that of all runs and in the stream, each once and in one order', async () => {
    const { client } = await signUpOwner(service.url);
    await registerJobs(client, { good: {}, bad: { retries: 1, retry_backoff: AT_ONCE } });
    const followed = await Followed.open(client, '/jobs/v1/logs?follow=true');
    const dueAt = new Date(Date.now() + 86_400_000).toISOString();
    const later = await trigger(client, 'good', { run_at: dueAt });
    const runs = [later];
    for (const job of ['good', 'bad', 'good', 'bad', 'good']) runs.push(await trigger(client, job));
    for (const { id } of runs.slice(1)) await endedRun(client, id);
    expect((await client.post(`/jobs/v1/runs/${later.id}/cancel`)).status).toBe(200);

    const all = await paged(client, '/jobs/v1/logs?limit=3');
    const messagesOf = (id: string): string[] =>
      all.filter(({ run_id }) => run_id === id).map(({ message }) => message);
    for (const { id } of runs)
      expect(await paged(client, `/jobs/v1/runs/${id}/logs?limit=1`)).toEqual(
        all.filter(({ run_id }) => run_id === id),
      );
    expect(messagesOf(later.id)).toEqual([
      `queued (manual), due at ${dueAt}`,
      'the run is cancelled: the run was cancelled',
    ]);
    expect(messagesOf(runs[1]?.id ?? '')).toEqual([
      'queued (manual)',
      'attempt 1 started',
      'attempt 1 completed with status 200; the run is completed',
    ]);
    expect(messagesOf(runs[2]?.id ?? '')).toEqual([
      'queued (manual)',
      'attempt 1 started',
      expect.stringMatching(/^attempt 1 failed with status 500.*; retry in 1 ms$/),
      'attempt 2 started',
      expect.stringMatching(/^attempt 2 failed with status 500.*; the run is failed$/),
    ]);
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).sort());
    expect(await paged(client, '/jobs/v1/logs?limit=2&order=desc')).toEqual(all.toReversed());
    await until(() => followed.lines.length >= all.length);
    expect(followed.lines).toEqual(all);
    followed.drop();

    const only = async (query: string): Promise<Line[]> =>
      await paged(client, `/jobs/v1/logs?limit=2&${query}`);
    expect(await only('level=warn')).toEqual(all.filter(({ level }) => level !== 'info'));
    expect(await only('level=error')).toHaveLength(2);
    expect(await only('job_id=bad')).toEqual(all.filter(({ job_id }) => job_id === 'bad'));
    expect(await only(`since=${all.at(-1)?.at}`)).toEqual(all.slice(-1));
    expect(await only('since=2100-01-01T00:00:00Z')).toEqual([]);
  });

  it('are complete however many runs change at once', async () => {
    const { client } = await signUpOwner(service.url);
    await registerJobs(client, { good: {} });
    const items = Array.from({ length: 700 }, (_none, n) => ({ payload: { n }, delay_ms: 3_600_000 }));
    expect((await client.post('/jobs/v1/jobs/good/trigger/batch', { items })).status).toBe(202);
    expect((await client.send('DELETE', '/jobs/v1/jobs/good')).status).toBe(204);
    const oldest = await paged(client, '/jobs/v1/logs?limit=300');
    expect(oldest.map(({ message }) => /^queued|^the run is cancelled/.exec(message)?.[0])).toEqual([
      ...items.map(() => 'queued'),
      ...items.map(() => 'the run is cancelled'),
    ]);
    expect(new Set(oldest.slice(700).map(({ run_id }) => run_id)).size).toBe(700);
    expect(await paged(client, '/jobs/v1/logs?limit=300&order=desc')).toEqual(oldest.toReversed());
  });
});
