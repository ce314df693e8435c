import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { fetch } from '../../../support/fetch.js';
import { containerOf, pods, variablesOf } from '../../../support/manifests.js';
import type { Container } from '../../../support/manifests.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';
import { runCli } from '../cli/run-cli.js';

const containers = new Map(pods().map(([name, pod]) => [name, containerOf(pod)]));

describe('the program, started as the Kubernetes manifests start it', () => {
  let environment: TestEnvironment;
  const services = new Map<string, ServiceProcess>();

  beforeAll(async () => {
    environment = await createEnvironment();
    const roles = [...containers].filter(([name]) => name !== 'service-migrations');
    await Promise.all(
      roles.map(async ([name, container]) => {
        services.set(name, await ServiceProcess.start(variablesHere(container)));
      }),
    );
  });

  afterAll(async () => {
    await Promise.all([...services.values()].map((service) => service.stop()));
    await environment.dispose();
  });

  /** The manifest's, but for the addresses of its servers. */
  function variablesHere(container: Container): Record<string, string> {
    return {
      ...variablesOf(container),
      ...environment.variables,
      SERVICE_FUNCTIONS__DIR: '',
      SERVICE_ADMIN__TOKEN: 'kubernetes-admin-token',
    };
  }

  it('answers every probe of every role with 200', async () => {
    const asked: string[] = [];
    for (const [name, service] of services) {
      const { startupProbe, livenessProbe, readinessProbe, ports } = containers.get(name) ?? { name };
      for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
        const { path, port } = probe?.httpGet ?? { path: '/none', port: 'none' };
        expect(ports).toContainEqual({ name: port, containerPort: 8080 });
        await until(async () => (await fetch(`${service.url ?? ''}${path}`)).status === 200);
        asked.push(`${name} ${path}`);
      }
    }
    expect(asked).toHaveLength(9);
    const [anyone] = services.values();
    expect((await fetch(`${anyone?.url ?? ''}/health/red`)).status).toBe(404);
  });

  it('serves the metric that the workers are scaled on, from every role', async () => {
    for (const service of services.values()) {
      const metrics = await (await fetch(`${service.url ?? ''}/metrics`)).text();
      expect(metrics).toMatch(/^service_jobs_queue_depth \d+$/m);
    }
  });

  it('is healthy as a whole', async () => {
    const [anyone] = services.values();
    await until(async () => {
      const { capabilities } = (await (await fetch(`${anyone?.url ?? ''}/health`)).json()) as Health;
      return capabilities.auth === 'ok' && capabilities.jobs === 'ok';
    });
  });

  it('migrates by the command of the Job', async () => {
    const container = containers.get('service-migrations');
    if (container === undefined) throw new Error('there is no Job service-migrations');
    const [node, launcher, ...args] = container.command ?? [];
    expect([node, launcher]).toEqual(['node', 'servicectl/servicectl.mjs']);
    expect(await runCli(args, variablesHere(container))).toMatchObject({ code: 0 });
  });
});

interface Health {
  readonly capabilities: { readonly auth: string; readonly jobs: string };
}
