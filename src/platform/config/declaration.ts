import { admin, database, log, redis, server } from './sections/server.js';
import { auth, identity, smtp } from './sections/identity.js';
import { functions, jobs } from './sections/jobs.js';
import { audit, limits } from './sections/limits.js';
import type { Section, Setting } from './schema/setting.js';

/** Every section of the file in the order of the example, by its TOML name. */
export const declaration = {
  server,
  database,
  redis,
  identity,
  'identity.smtp': smtp,
  auth,
  jobs,
  functions,
  limits,
  audit,
  admin,
  log,
};

export type SectionName = keyof typeof declaration;

export const sections: ReadonlyMap<string, Section> = new Map(Object.entries(declaration));

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
