import { settings, variableOf } from '../../../../src/platform/config/declaration.js';
import { loadConfig } from '../../../../src/platform/config/index.js';
import {
  builtKustomization,
  CHART,
  chartValues,
  helm,
  renderedChart,
  valuesSchema,
} from '../../support/chart.js';
import { faultsOf } from '../../../support/kubernetes-schema.js';
import { containerOf } from '../../../support/manifests.js';
import type { Manifest, Pod } from '../../../support/manifests.js';

const SCALED = ['api.autoscaling.enabled=true', 'worker.autoscaling.enabled=true'];
/** As a cluster that lets nothing out, with what pods of the program need. */
const RESTRICTED = [
  'networkPolicy.egress=[{"to":[{"podSelector":{"matchLabels":{"app":"postgres"}}}],"ports":[{"port":5432}]}]',
  'networkPolicy.apiFrom=[]',
  'networkPolicy.metricsFrom=[]',
];
const VARIANTS: [variant: string, settings: string[]][] = [
  ['as its values are', []],
  ['with scaling', SCALED],
  ['with a restricted network', RESTRICTED],
  ['without what can be left out', ['networkPolicy.enabled=false', 'migrations.enabled=false']],
  [
    'with all that may be added to pods',
    [
      'imagePullSecrets=["registry"]',
      'nodeSelector={"disk":"fast"}',
      'tolerations=[{"key":"spot","operator":"Exists"}]',
      'affinity={"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[]}}',
      'priorityClassName="high"',
      'podAnnotations={"example.com/team":"identity"}',
    ],
  ],
];

interface Peers {
  readonly podSelector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly policyTypes: readonly string[];
  readonly ingress: readonly unknown[];
  readonly egress?: readonly unknown[];
}

describe('the chart', () => {
  it('has nothing that helm lint finds', () => {
    const { status, output } = helm(['lint', '--strict', CHART], SCALED);
    expect(output).not.toMatch(/WARNING|ERROR/);
    expect(status).toBe(0);
  });

  it.each(VARIANTS)(
    'is rendered %s to objects that the schemas of Kubernetes and KEDA take',
    (_, settings) => {
      const objects = renderedChart(...settings);
      expect(objects.length).toBeGreaterThan(7);
      expect(objects.flatMap(faultsOf)).toEqual([]);
    },
  );

  it('starts every role as the manifests do', () => {
    const ours = podsOf(renderedChart());
    const manifests = podsOf(builtKustomization('base'));
    expect([...ours.keys()].sort()).toEqual([...manifests.keys()].sort());
    for (const [name, pod] of manifests) {
      if (name !== 'service-migrations') expect(comparable(ours.get(name))).toEqual(comparable(pod));
    }
  });

  it('gives the migrations the settings and the Secret of the roles, before there is a ConfigMap', () => {
    const objects = renderedChart();
    const job = objects.find(({ kind }) => kind === 'Job') as Manifest & {
      metadata: { annotations: Record<string, string> };
    };
    const container = containerOf(podOf(job));
    expect(job.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(container.command).toEqual(['node', 'servicectl/servicectl.mjs', 'migrate']);
    expect(container.envFrom).toEqual([{ secretRef: { name: 'service-secrets' } }]);
    const variables = Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value]));
    expect(variables).toEqual(objects.find(({ kind }) => kind === 'ConfigMap')?.data);
    const secrets = {
      SERVICE_DATABASE__URL: 'postgres://service@db.example.com/service',
      SERVICE_REDIS__URL: 'redis://redis.example.com',
      SERVICE_IDENTITY__DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    expect(() => loadConfig({ env: { ...variables, ...secrets }, cwd: '/nowhere' })).not.toThrow();
  });

  it('leaves the number of instances to what scales them, on the metric that the manifests use', () => {
    const objects = renderedChart(...SCALED);
    const replicas = objects.flatMap(({ kind, metadata, spec }) =>
      kind === 'Deployment' ? [[metadata.name, spec?.replicas]] : [],
    );
    expect(Object.fromEntries(replicas)).toEqual({
      'service-api': undefined,
      'service-worker': undefined,
      'service-scheduler': 2,
    });
    const scaledObject = (all: readonly Manifest[]): unknown =>
      all.find(({ kind }) => kind === 'ScaledObject')?.spec;
    expect(scaledObject(objects)).toEqual(scaledObject(builtKustomization('autoscaling')));
  });

  it('keeps connections from every role, but for those that its values name', () => {
    const policies = (...values: string[]): Map<string, Peers> =>
      new Map(
        renderedChart(...values).flatMap(({ kind, metadata, spec }) =>
          kind === 'NetworkPolicy' ? [[metadata.name, spec as unknown as Peers]] : [],
        ),
      );
    expect([...policies().keys()].sort()).toEqual(
      ['api', 'migrations', 'scheduler', 'worker'].map((component) => `service-${component}`),
    );
    expect(JSON.stringify(policies().get('service-api'))).toContain('ingress-nginx');
    expect(JSON.stringify(policies().get('service-worker'))).not.toContain('ingress-nginx');
    for (const policy of policies(...RESTRICTED).values()) {
      expect(policy.ingress).toEqual([]);
      expect(policy.policyTypes).toEqual(['Ingress', 'Egress']);
      expect(policy.egress).toHaveLength(2);
    }
  });

  it('gives pods the time that stopping takes, for any drain', () => {
    const grace = (name: string): number | undefined =>
      podsOf(renderedChart('drainSeconds=120')).get(name)?.terminationGracePeriodSeconds;
    expect([grace('service-api'), grace('service-worker')]).toEqual([140, 135]);
  });
});

describe('the schema of its values', () => {
  const secret = [...settings].flatMap(([name, { kind }]) =>
    kind.secrecy === 'whole' ? [variableOf(name)] : [],
  );

  it.each(secret)('refuses %s among the settings, because Helm would store it', (variable) => {
    const { status, output } = helm(['template', 'service', CHART], [`settings.${variable}="x"`]);
    expect({ status, output }).toMatchObject({
      status: 1,
      output: expect.stringContaining(`invalid propertyName '${variable}'`),
    });
  });

  it('lets every other setting pass', () => {
    const open = [...settings].flatMap(([name, { kind }]) =>
      kind.secrecy === 'open' ? [variableOf(name)] : [],
    );
    const set = ['SERVICE_ROLE', 'SERVICE_SERVER__DRAIN_SECS', 'SERVICE_SERVER__PORT'];
    const usable = open.filter((variable) => !set.includes(variable));
    expect(
      helm(
        ['lint', CHART],
        usable.map((variable) => `settings.${variable}="1"`),
      ).status,
    ).toBe(0);
  });

  it.each([
    'api.replica=3',
    'worker.replicas=0',
    'api.replicas="two"',
    'existingSecret=""',
    'settings.PORT="1"',
  ])('refuses %s', (setting) => {
    expect(helm(['template', 'service', CHART], [setting])).toMatchObject({
      status: 1,
      output: expect.stringMatching(/values don't meet the specifications of the schema/),
    });
  });

  it('describes every value', () => {
    const undescribed = (schema: Node, values: unknown, path: string): string[] =>
      Object.entries(values as object).flatMap(([name, value]) => {
        const own = schema.properties?.[name];
        const place = `${path}.${name}`;
        if (own?.description === undefined && own?.$ref === undefined) return [place];
        return own.properties === undefined ? [] : undescribed(own, value, place);
      });
    expect(undescribed(valuesSchema() as Node, chartValues(), '')).toEqual([]);
  });
});

interface Node {
  readonly description?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Node>>;
}

function podsOf(objects: readonly Manifest[]): Map<string, Pod> {
  return new Map(
    objects.filter(({ spec }) => spec?.template).map((each) => [each.metadata.name, podOf(each)]),
  );
}

function podOf({ metadata, spec }: Manifest): Pod {
  if (spec?.template === undefined) throw new Error(`${metadata.name} makes no pod`);
  return spec.template.spec;
}

/** Without what a release adds: labels by which it finds its own pods, and a policy that is the default. */
function comparable(pod: Pod | undefined): unknown {
  return JSON.parse(
    JSON.stringify(pod, (name, value: unknown) =>
      ['topologySpreadConstraints', 'imagePullPolicy'].includes(name) ? undefined : value,
    ),
  );
}
