import { isDeepStrictEqual } from 'node:util';
import type { AuditEvent } from '../../audit/index.js';
import { toDefinitionDto } from './dto/job.js';
import type { JobChangeDto } from './dto/manifest.js';
import type { JobEntity } from './job.entity.js';

/** The JSON of the jobs that one entry names, in bytes. With what else is in its details it stays below their limit. */
const MAX_JOBS_BYTES = 12 * 1024;
/** What a registration says of the values before and after takes at most so much JSON, in bytes. */
const MAX_VALUES_BYTES = 8 * 1024;

/** Jobs by their ids. */
type Jobs = ReadonlyMap<string, JobEntity>;

/** Details of an audit entry. The audit trail finds the entries of a job by them. */
type NamedJobs = Readonly<Record<'jobs', readonly unknown[]>>;

/**
 * The details of audit entries that together name all of these jobs: a few large changes take several entries, so that
 * each of them stays small and none of the jobs is left out.
 */
export function recordedJobs(jobs: readonly unknown[]): NamedJobs[] {
  const entries: unknown[][] = [];
  let bytes = Infinity;
  for (const job of jobs) {
    const size = bytesOf(job) + 1;
    bytes += size;
    if (bytes > MAX_JOBS_BYTES) {
      entries.push([]);
      bytes = size;
    }
    entries.at(-1)?.push(job);
  }
  return entries.map((named) => ({ jobs: named }));
}

/**
 * The details of a registration for the audit trail: which jobs have changed, and of those that were there before, the
 * fields that differ with their values before and after. Once these take too much room, the fields are only named.
 */
export function recordedChanges(changed: readonly JobChangeDto[], before: Jobs, after: Jobs): NamedJobs[] {
  let room = MAX_VALUES_BYTES;
  return recordedJobs(
    changed.map((change) => {
      const [old, present] = [before.get(change.id), after.get(change.id)];
      if (change.change !== 'updated' || old === undefined || present === undefined) return change;
      const values = differenceOf(old, present);
      room -= bytesOf(values);
      return { ...change, ...(room >= 0 ? values : { fields: Object.keys(values.after) }) };
    }),
  );
}

/** The entries of one change, with one of these details each. What other jobs learn of the change comes with the first. */
export function withDetails(
  event: Omit<AuditEvent, 'details'>,
  recorded: readonly NamedJobs[],
): AuditEvent[] {
  return recorded.map((details, index) => ({ ...event, details, events: index === 0 ? event.events : [] }));
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields that differ, as a manifest has them; null where a job has none. */
function differenceOf(old: JobEntity, present: JobEntity): { before: Fields; after: Fields } {
  const [before, after]: [Fields, Fields] = [{ ...toDefinitionDto(old) }, { ...toDefinitionDto(present) }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  const valuesOf = (fields: Fields): Fields =>
    Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return { before: valuesOf(before), after: valuesOf(after) };
}
