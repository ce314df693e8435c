import { isDeepStrictEqual } from 'node:util';
import { toDefinitionDto } from './dto/job.js';
import type { JobChangeDto } from './dto/manifest.js';
import type { JobEntity } from './job.entity.js';

/** How many jobs an audit entry lists by name: entries are read a hundred at a time. */
const MAX_RECORDED = 100;
/** What an entry says of the values before and after takes at most so much JSON, in UTF-16 units. */
const MAX_VALUES = 8_192;

/** Jobs by their ids. */
type Jobs = ReadonlyMap<string, JobEntity>;

/**
 * The details of a registration for the audit trail: which jobs have changed, and of those that were there before, the
 * fields that differ with their values before and after. Once these take too much room, the fields are only named.
 */
export function recordedChanges(
  changed: readonly JobChangeDto[],
  before: Jobs,
  after: Jobs,
): Readonly<Record<string, unknown>> {
  let room = MAX_VALUES;
  const jobs = changed.slice(0, MAX_RECORDED).map((change) => {
    const [old, present] = [before.get(change.id), after.get(change.id)];
    if (change.change !== 'updated' || old === undefined || present === undefined) return change;
    const values = differenceOf(old, present);
    room -= JSON.stringify(values).length;
    return { ...change, ...(room >= 0 ? values : { fields: Object.keys(values.after) }) };
  });
  return jobs.length === changed.length ? { jobs } : { jobs, more: changed.length - jobs.length };
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
