import { loadConfig } from '../../../src/platform/config/index.js';
import {
  containerOf,
  kustomization,
  manifestFiles,
  manifests,
  pods,
  variablesOf,
} from '../../support/manifests.js';
import { faultsOf } from '../../support/kubernetes-schema.js';

/** What README and operating.md ask for after server.drain_secs. */
const SECONDS_AFTER_DRAIN = 15;
/** What an instance takes besides password hashes, generously. */
const BASE_MEMORY_MIB = 384;
const DATA_KEY = Buffer.alloc(32, 7).toString('base64');

const objects = manifests().map(
  (manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const,
);
const deployments = pods().filter(([name]) => name !== 'service-migrations');

describe('the schemas of Kubernetes', () => {
  it.each(objects)('take the %s', (_, manifest) => {
    expect(faultsOf(manifest)).toEqual([]);
  });

  it.each([
    ['a field of an object', { metadata: { name: 'x' }, sepc: {} }],
    [
      'a field of a probe',
      { spec: { containers: [{ name: 'x', livenessProbe: { httpGet: { port: 1, pth: '/' } } }] } },
    ],
  ])('do not let %s pass that is misspelt', (_, fields) => {
    expect(faultsOf({ apiVersion: 'v1', kind: 'Pod', ...fields })).toEqual([
      expect.stringMatching(/(sepc|pth) is no known field$/),
    ]);
  });

  it('do not let a wrong type, a missing field or an unknown kind pass', () => {
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 'two' } };
    expect(faultsOf(deployment).join()).toMatch(/replicas must be integer/);
    expect(faultsOf(deployment).join()).toMatch(/required property selector/);
    expect(faultsOf({ apiVersion: 'apps/v1beta1', kind: 'Deployment' })).toHaveLength(1);
  });
});

describe('the manifests', () => {
  it('are listed by their kustomizations, but for the example of the Secret', () => {
    for (const folder of ['base', 'autoscaling'] as const) {
      const files = [...manifestFiles(folder).keys()].filter(
        (name) => name !== 'kustomization.yaml' && !name.includes('.example.'),
      );
      expect(
        kustomization(folder)
          .resources.filter((name) => name !== '../base')
          .sort(),
      ).toEqual(files.sort());
    }
  });

  it('cover the three roles', () => {
    const roles = deployments.map(([, pod]) => variablesOf(containerOf(pod)).SERVICE_ROLE);
    expect(roles.sort()).toEqual(['api', 'scheduler', 'worker']);
  });

  it.each(pods())('give %s a configuration that the program takes once it has a data key', (_, pod) => {
    const variables = variablesOf(containerOf(pod));
    expect(() => loadConfig({ env: variables, cwd: '/nowhere' })).toThrow(/identity\.data_key/);
    const env = { ...variables, SERVICE_IDENTITY__DATA_KEY: DATA_KEY };
    expect(() => loadConfig({ env, cwd: '/nowhere' })).not.toThrow();
  });

  it.each(pods())(
    'keep the names of Services out of the variables of %s, and root out of its container',
    (_, pod) => {
      expect(pod.enableServiceLinks).toBe(false);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      expect(containerOf(pod).securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
      });
    },
  );

  it.each(pods())('ask for resources for %s, with a bound on its memory', (_, pod) => {
    expect(containerOf(pod).resources).toMatchObject({
      requests: { cpu: expect.any(String), memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    });
  });

  it.each(deployments)('give %s the time that stopping takes', (_, pod) => {
    const { lifecycle } = containerOf(pod);
    const preStopSeconds = Number(lifecycle?.preStop?.exec.command[1] ?? 0);
    const { server } = configOf(pod);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
      preStopSeconds + server.drainSecs + SECONDS_AFTER_DRAIN,
    );
  });

  it('give the API memory for all password hashes that it computes at one time', () => {
    const [, api] = deployments.find(([name]) => name === 'service-api') ?? [];
    if (api === undefined) throw new Error('there is no Deployment service-api');
    const { hashConcurrency, argon2MemoryKib } = configOf(api).identity;
    const needed = BASE_MEMORY_MIB + ((hashConcurrency ?? Infinity) * argon2MemoryKib) / 1024;
    expect(mebibytes(containerOf(api).resources?.limits?.memory)).toBeGreaterThanOrEqual(needed);
  });

  it('keep one instance of every role through a disruption, and let one go', () => {
    for (const { kind, metadata, spec } of manifests()) {
      if (kind === 'PodDisruptionBudget') expect(spec).toMatchObject({ maxUnavailable: 1 });
      if (kind === 'Deployment') expect(spec?.replicas).toBeGreaterThan(1);
      if (kind !== 'Deployment') continue;
      const budgets = manifests().filter((each) => each.kind === 'PodDisruptionBudget');
      expect(budgets.map((budget) => budget.metadata.name)).toContain(metadata.name);
    }
  });
});

function configOf(pod: Parameters<typeof containerOf>[0]): ReturnType<typeof loadConfig> {
  const env = { ...variablesOf(containerOf(pod)), SERVICE_IDENTITY__DATA_KEY: DATA_KEY };
  return loadConfig({ env, cwd: '/nowhere' });
}

function mebibytes(quantity = ''): number {
  const [, amount = '', unit = ''] = /^(\d+)([MG])i$/.exec(quantity) ?? [];
  return Number(amount) * (unit === 'G' ? 1024 : 1);
}
