import type { Job, JobDefinition } from '../shapes.js';

/** One value of a job that a manifest changes. */
export interface FieldChange {
  /** Like `triggers[0].schedule`. */
  readonly path: string;
  /** Undefined if there was none. */
  readonly before: unknown;
  /** Undefined if there will be none. */
  readonly after: unknown;
}

/** The effect of omitting these fields in a manifest. Any other omitted field is null. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  retries: 0,
  priority: 0,
  acts_as: 'service',
  triggers: [],
};

const DEFAULT_BACKOFF = { type: 'exponential', initial_ms: 1_000, max_ms: 60_000, multiplier: 2 };

/** Fields that the server returns but a definition does not have. */
const READ_ONLY = new Set(['next_fire_at', 'last_run', 'problems', 'created_at', 'updated_at']);
/** If omitted, `paused` stays as it is, and `timeout_ms` gets the server's default. */
const WITHOUT_DEFAULT = new Set(['paused', 'timeout_ms']);

/** The differences between a job and its definition in a manifest, value by value: what a deployment changes. */
export function jobChanges(before: Job, after: JobDefinition): FieldChange[] {
  const current: Readonly<Record<string, unknown>> = { ...before };
  const declared: Readonly<Record<string, unknown>> = {
    ...after,
    retry_backoff: { ...(after.retry_backoff ?? DEFAULT_BACKOFF) },
  };
  const fields = new Set([...Object.keys(current), ...Object.keys(declared)]);
  return [...fields].flatMap((field) => {
    const meant = declared[field] ?? DEFAULTS[field] ?? null;
    const isKept = declared[field] === undefined && WITHOUT_DEFAULT.has(field);
    // A field of only some profiles, such as `invocable_by`, is missing if it has no value.
    const isAbsent = meant === null && current[field] === undefined;
    return READ_ONLY.has(field) || isKept || isAbsent
      ? []
      : differences(field, withoutNoJitter(current[field]), withoutNoJitter(meant));
  });
}

/** The definition that registers the job as it is. Defaults are left out, and `paused`, which registration leaves as it is. */
export function definitionOf(job: Job): JobDefinition {
  const declared = Object.entries(job).filter(
    ([field, value]) =>
      !READ_ONLY.has(field) && field !== 'paused' && value !== null && !isDefault(field, value),
  );
  return Object.fromEntries(declared) as unknown as JobDefinition;
}

function isDefault(field: string, value: unknown): boolean {
  const byDefault = field === 'retry_backoff' ? DEFAULT_BACKOFF : DEFAULTS[field];
  return byDefault !== undefined && differences(field, byDefault, withoutNoJitter(value)).length === 0;
}

/** `jitter: 0` is the same as no jitter. */
function withoutNoJitter(value: unknown): unknown {
  if (!isObject(value) || value.jitter !== 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'jitter'));
}

function differences(path: string, before: unknown, after: unknown): FieldChange[] {
  if (Array.isArray(before) && Array.isArray(after))
    return indexesOf(before, after).flatMap((index) =>
      differences(`${path}[${index}]`, before[index], after[index]),
    );
  if (isObject(before) && isObject(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      differences(`${path}.${name}`, before[name], after[name]),
    );
  return before === after ? [] : [{ path, before, after }];
}

function indexesOf(before: readonly unknown[], after: readonly unknown[]): number[] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => index);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** For people: `retries 0 → 3`, `triggers[1] + {…}`. */
export function changeText({ path, before, after }: FieldChange): string {
  if (before === undefined) return `${path} + ${JSON.stringify(after)}`;
  if (after === undefined) return `${path} - ${JSON.stringify(before)}`;
  return `${path} ${JSON.stringify(before)} → ${JSON.stringify(after)}`;
}
