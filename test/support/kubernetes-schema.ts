import * as keda from '@kubernetes-models/keda/keda.sh/v1alpha1';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';

/** A class of the models, generated from the OpenAPI document of Kubernetes or from the schema of KEDA. */
interface Model {
  readonly prototype: { validate(this: object): void };
}

const GROUPS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'batch/v1': batch,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
  'keda.sh/v1alpha1': keda,
};

/** What violates the schema of the object's kind: types, formats, missing fields, and unknown fields. */
export function faultsOf(manifest: unknown): string[] {
  const { apiVersion = '', kind = '' } = manifest as { apiVersion?: string; kind?: string };
  const model = GROUPS[apiVersion]?.[kind] as Model | undefined;
  if (model === undefined) return [`there is no schema of ${apiVersion} ${kind}`];
  const read = new Set<string>();
  try {
    // Not on an instance of the class, because its constructor copies its argument.
    model.prototype.validate.call(watched(manifest as object, '', read));
  } catch (error) {
    return [(error as Error).message];
  }
  return unreadFields(manifest, '', read);
}

/**
 * The schemas of Kubernetes do not forbid unknown fields, although its server refuses them. A validator reads each
 * field that it knows, so a field that it never reads is unknown.
 */
function watched(value: object, path: string, read: Set<string>): object {
  return new Proxy(value, {
    get(target, name) {
      const field: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol') return field;
      read.add(`${path}/${name}`);
      return typeof field === 'object' && field !== null ? watched(field, `${path}/${name}`, read) : field;
    },
  });
}

function unreadFields(value: unknown, path: string, read: ReadonlySet<string>): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const place = `${path}/${name}`;
    return read.has(place) ? unreadFields(field, place, read) : [`${place} is no known field`];
  });
}
