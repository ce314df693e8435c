import type { Section } from '../../schema/setting.js';
import { audit, identity, keys, lives, mail } from './identity.js';
import { captures, functions, hooks, logs, operations, runs, scheduler, workers } from './jobs.js';
import { access, cache, database, health, redis, server, telemetry } from './platform.js';

/**
 * Every interval, deadline and life of the program, by the part of it that they belong to; all of them have their unit
 * in the name. Limits of what callers may ask for, and what a protocol lays down, are not among them.
 */
export const timing = {
  workers,
  cache,
  redis,
  health,
  server,
  database,
  access,
  runs,
  functions,
  logs,
  operations,
  hooks,
  captures,
  scheduler,
  mail,
  identity,
  keys,
  audit,
  telemetry,
  lives,
};

type Group = keyof typeof timing;
type TimingSections = { readonly [Name in Group as `timing.${Name}`]: (typeof timing)[Name] };

/** The groups by the names of their sections in the file, such as `timing.workers`. */
export const timingSections = Object.fromEntries(
  Object.entries<Section>(timing).map(([group, section]) => [`timing.${group}`, section]),
) as unknown as TimingSections;

export function isTimingSection(name: string): name is keyof TimingSections {
  return name in timingSections;
}

/** The group of a section. */
export function timingGroup(name: keyof TimingSections): Group {
  return name.slice('timing.'.length) as Group;
}
