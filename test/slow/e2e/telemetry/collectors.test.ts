import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signUpOwner } from '../../../support/client.js';
import type { Client } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { freePort } from '../../../support/free-port.js';
import { HandlerServer } from '../../../support/handler-server.js';
import { OtlpCollector } from '../../../support/otlp-collector.js';
import type { CollectorAnswer } from '../../../support/otlp-collector.js';
import { endedRun, registerJobs, trigger } from '../../../support/runs.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';

let environment: TestEnvironment;
let handlers: HandlerServer;

beforeAll(async () => {
  [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
});

afterAll(async () => {
  await handlers.stop();
  await environment.dispose();
});

async function withService(
  variables: Readonly<Record<string, string>>,
  work: (service: ServiceProcess, client: Client) => Promise<void>,
): Promise<ServiceProcess> {
  const service = await ServiceProcess.start({
    ...environment.variables,
    ...handlers.variables,
    ...variables,
  });
  try {
    const { client } = await signUpOwner(service.url ?? '');
    await registerJobs(client, { job: {} });
    await work(service, client);
  } finally {
    await service.stop();
  }
  return service;
}

async function spansBy(client: Client, outcome: string): Promise<number> {
  const { body } = await client.get<string>('/metrics');
  return Number(
    new RegExp(`^service_telemetry_spans_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(body)?.[1],
  );
}

function linesOf({ log }: ServiceProcess, words: string): string[] {
  return log.split('\n').filter((line) => line.includes(words));
}

describe('a collector', () => {
  const BROKEN: readonly (readonly [string, CollectorAnswer])[] = [
    ['hangs', null],
    ['answers 503', { status: 503 }],
    ['refuses the credentials', { status: 401 }],
  ];

  it.each(BROKEN)('that %s delays and fails no request, no run and no stop', async (_title, broken) => {
    const collector = await OtlpCollector.start();
    collector.answer = broken;
    const service = await withService(
      { SERVICE_TELEMETRY__OTLP_URL: collector.url },
      async (_service, client) => {
        for (let times = 0; times < 20; times += 1) await endedRun(client, (await trigger(client, 'job')).id);
        await until(() => collector.requests.length > 0);
      },
    );
    await collector.stop();
    expect(await service.exit()).toBe(0);
    const lines = linesOf(service, 'does not take spans');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('telemetry.otlp_url');
  });

  it('that is away costs a line when it goes and one when it comes back, and gets what is kept', async () => {
    const port = await freePort();
    let collector: OtlpCollector | null = null;
    await withService(
      { SERVICE_TELEMETRY__OTLP_URL: `http://127.0.0.1:${port}` },
      async (service, client) => {
        const { id } = await trigger(client, 'job');
        await endedRun(client, id);
        await until(() => linesOf(service, 'does not take spans').length === 1);
        collector = await OtlpCollector.start(port);
        await until(() => linesOf(service, 'takes spans again').length === 1);
        expect(collector.spans.some(({ attributes }) => attributes['service.run.id'] === id)).toBe(true);
        expect(await spansBy(client, 'exported')).toBeGreaterThan(0);
        expect(linesOf(service, 'does not take spans')).toHaveLength(1);
      },
    );
    await (collector as OtlpCollector | null)?.stop();
  });

  it('that rejects a part of the spans is counted', async () => {
    const collector = await OtlpCollector.start();
    collector.answer = { status: 200, rejected: 1 };
    await withService({ SERVICE_TELEMETRY__OTLP_URL: collector.url }, async (_service, client) => {
      await until(async () => (await spansBy(client, 'refused')) > 0);
    });
    await collector.stop();
  });

  it('gets the spans of the last requests when the program stops', async () => {
    const collector = await OtlpCollector.start();
    let runId = '';
    await withService(
      { SERVICE_TELEMETRY__OTLP_URL: `${collector.url}/v1/traces` },
      async (_service, client) => {
        ({ id: runId } = await trigger(client, 'job'));
        await endedRun(client, runId);
      },
    );
    expect(collector.spans.some(({ attributes }) => attributes['service.run.id'] === runId)).toBe(true);
    await collector.stop();
  });
});

describe('a program without a collector', () => {
  it('loads nothing of what sends spans, as one with a collector does', async () => {
    const collector = await OtlpCollector.start();
    const off = await loadedScripts({});
    const on = await loadedScripts({ SERVICE_TELEMETRY__OTLP_URL: collector.url });
    await collector.stop();
    const ofExport = on.filter((script) => /span-exporter/.test(script));
    expect(ofExport).not.toEqual([]);
    expect(off.filter((script) => /span-exporter|opentelemetry/.test(script))).toEqual([]);
    // What every program loads of it is small: the place of a span, and the span of a request.
    expect(off.length).toBeLessThan(on.length);
  });
});

/** The scripts that a program has loaded in its life, by V8's own record. */
async function loadedScripts(variables: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'service-coverage-'));
  try {
    await withService({ ...variables, NODE_V8_COVERAGE: folder }, async () => {
      await Promise.resolve();
    });
    const reports = await Promise.all(
      (await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')),
    );
    return reports.flatMap((report) =>
      (JSON.parse(report) as { result: { url: string }[] }).result.map(({ url }) => url),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
