import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = new URL('../../deploy/kubernetes/', import.meta.url);

/** The parts of a Kubernetes object that the tests use. The schemas describe the rest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly replicas?: number; readonly template?: { readonly spec: Pod } };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

export interface Pod {
  readonly enableServiceLinks?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: { readonly runAsNonRoot?: boolean; readonly runAsUser?: number };
  readonly containers: readonly Container[];
}

export interface Container {
  readonly name: string;
  readonly command?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom?: readonly {
    readonly configMapRef?: { readonly name: string };
    readonly secretRef?: { readonly name: string };
  }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly lifecycle?: { readonly preStop?: { readonly exec: { readonly command: readonly string[] } } };
  readonly resources?: { readonly requests?: Quantities; readonly limits?: Quantities };
  readonly securityContext?: {
    readonly readOnlyRootFilesystem?: boolean;
    readonly allowPrivilegeEscalation?: boolean;
  };
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

type Quantities = Readonly<Record<string, string>>;

/** The list of files that kustomize combines, from `kustomization.yaml`. */
export interface Kustomization {
  readonly kind: 'Kustomization';
  readonly resources: readonly string[];
}

/** The files of a folder of deploy/kubernetes/, with the objects in each. */
export function manifestFiles(folder: 'base' | 'autoscaling'): Map<string, Manifest[]> {
  const names = readdirSync(new URL(folder, ROOT)).filter((name) => name.endsWith('.yaml'));
  return new Map(names.map((name) => [name, objectsIn(new URL(`${folder}/${name}`, ROOT))]));
}

/** Every object that can be applied, including the example of the Secret. */
export function manifests(): Manifest[] {
  return [...manifestFiles('base').values(), ...manifestFiles('autoscaling').values()]
    .flat()
    .filter(({ kind }) => kind !== 'Kustomization');
}

export function kustomization(folder: 'base' | 'autoscaling'): Kustomization {
  return parse(readFileSync(new URL(`${folder}/kustomization.yaml`, ROOT), 'utf8')) as Kustomization;
}

/** The pods that a Deployment or Job creates, by the object's name. */
export function pods(): [name: string, pod: Pod][] {
  return manifests().flatMap(({ metadata, spec }) =>
    spec?.template ? [[metadata.name, spec.template.spec] as [string, Pod]] : [],
  );
}

export function containerOf(pod: Pod): Container {
  const [container] = pod.containers;
  if (container === undefined) throw new Error('the pod has no container');
  return container;
}

/** The environment variables of a container, combined from its references to ConfigMap and Secret. */
export function variablesOf(container: Container): Record<string, string> {
  const all = manifests();
  const named = (kind: string, name?: string): Manifest | undefined =>
    all.find((each) => each.kind === kind && each.metadata.name === name);
  const referenced = (container.envFrom ?? []).map(({ configMapRef, secretRef }) => {
    const source = configMapRef
      ? named('ConfigMap', configMapRef.name)?.data
      : named('Secret', secretRef?.name)?.stringData;
    if (source === undefined) throw new Error(`${container.name} refers to what is not there`);
    return source;
  });
  const own = (container.env ?? []).map(({ name, value }) => [name, value] as const);
  return Object.assign({}, ...referenced, Object.fromEntries(own)) as Record<string, string>;
}

function objectsIn(file: URL): Manifest[] {
  return parseAllDocuments(readFileSync(fileURLToPath(file), 'utf8')).map((document) => {
    const [error] = document.errors;
    if (error) throw error;
    return document.toJS() as Manifest;
  });
}
