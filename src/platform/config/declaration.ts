import { distance } from 'fastest-levenshtein';
import { admin, database, log, redis, server, telemetry, webConsole } from './sections/server.js';
import { auth, brand, identity, passkeys, smtp } from './sections/identity.js';
import { functions, jobs } from './sections/jobs.js';
import { audit, limits } from './sections/limits.js';
import { timingSections } from './sections/timing/index.js';
import type { Section, Setting } from './schema/setting.js';

/** Every section of the file in the order of the example, by its TOML name. */
export const declaration = {
  server,
  database,
  redis,
  identity,
  'identity.smtp': smtp,
  'identity.passkeys': passkeys,
  'identity.brand': brand,
  auth,
  jobs,
  functions,
  limits,
  audit,
  admin,
  console: webConsole,
  log,
  telemetry,
  ...timingSections,
};

export type SectionName = keyof typeof declaration;

export const sections: ReadonlyMap<string, Section> = new Map(Object.entries(declaration));

/** Also of `timing`, which has sections and no keys of its own. */
export function isSection(name: string): boolean {
  return sections.has(name) || [...sections.keys()].some((each) => each.startsWith(`${name}.`));
}

/** Every key by its full TOML name, such as `identity.smtp.host`. */
export const settings: ReadonlyMap<string, Setting<unknown>> = new Map(
  [...sections].flatMap(([name, { settings }]) =>
    Object.entries(settings).map(([key, setting]) => [`${name}.${key}`, setting] as const),
  ),
);

/** The variable that overrides a key: `identity.smtp.host` is `SERVICE_IDENTITY__SMTP__HOST`. */
export function variableOf(key: string): string {
  return `SERVICE_${key.toUpperCase().replaceAll('.', '__')}`;
}

/** " Did you mean …?" for the candidate that a typing error away could be `name`, else nothing. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const tolerance = Math.max(1, Math.floor(name.length / 4));
  let nearest: string | undefined;
  let least = tolerance + 1;
  for (const candidate of candidates) {
    const errors = distance(name, candidate);
    if (errors < least) [nearest, least] = [candidate, errors];
  }
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}
