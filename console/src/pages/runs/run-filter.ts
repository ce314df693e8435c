import type { RunFilter, RunStatus } from '@service/client';
import type { Filters } from '../../parts/filters.js';
import { objectOf } from '../../parts/exact-json.js';

export const FILTERS = [
  'status',
  'job',
  'trigger',
  'error',
  'handler',
  'parent',
  'duration',
  'payload',
  'since',
  'until',
] as const;
export type RunFilters = Filters<(typeof FILTERS)[number]>;
type Values = RunFilters['values'];

export const STATUSES: readonly RunStatus[] = [
  'queued',
  'running',
  'retrying',
  'completed',
  'failed',
  'cancelled',
];

/** In the address as a length of time, so that a kept link goes with the clock. */
const SPANS_MS = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const;
/** The beginning of the day in the browser's time zone. */
export const MIDNIGHT = 'midnight';

/** The statuses of the address; null if one of them is none. */
function statusesOf(text: string): RunStatus[] | null {
  const statuses = text.split(',').filter((each) => (STATUSES as readonly string[]).includes(each));
  return statuses.length === text.split(',').length ? (statuses as RunStatus[]) : null;
}

/** A length of time in seconds, such as `0.5`; null if the text is none. */
export function secondsOf(text: string): number | null {
  return /^\d+(?:\.\d{1,3})?$/.test(text) ? Number(text) : null;
}

function instantOf(iso: string): Date | null {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? null : at;
}

function beginningOf(since: string): Date | null {
  if (since === MIDNIGHT) return new Date(new Date().setHours(0, 0, 0, 0));
  if (since in SPANS_MS) return new Date(Date.now() - SPANS_MS[since as keyof typeof SPANS_MS]);
  return instantOf(since);
}

function read<Value>(text: string, reading: (text: string) => Value | null): Value | null | undefined {
  return text === '' ? undefined : reading(text);
}

/**
 * The filter of the API for what the address says. Null if a part cannot be read: without that part, the filter would
 * match more runs, and retry or cancel them.
 */
export function filterOf({
  status,
  job,
  trigger,
  error,
  handler,
  parent,
  ...values
}: Values): RunFilter | null {
  const [object, seconds] = [read(values.payload, objectOf), read(values.duration, secondsOf)];
  const [from, to] = [read(values.since, beginningOf), read(values.until, instantOf)];
  const statuses = read(status, statusesOf);
  if (object === null || seconds === null || from === null || to === null || statuses === null) return null;
  return {
    status: statuses,
    // The service refuses a trigger that it does not know.
    trigger: trigger === '' ? undefined : (trigger as NonNullable<RunFilter['trigger']>),
    jobId: job === '' ? undefined : job,
    errorCode: error === '' ? undefined : error,
    handler: handler === '' ? undefined : handler,
    parentRunId: parent === '' ? undefined : parent,
    minDurationMs: seconds === undefined ? undefined : Math.round(seconds * 1000),
    payload: object,
    since: from,
    until: to,
  };
}
