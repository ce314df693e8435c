import { accepted, refused } from './schema/outcome.js';
import type { Outcome } from './schema/outcome.js';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { declaration, SectionName } from './declaration.js';
import { isTimingSection, timingGroup } from './sections/timing/index.js';
import type { timing } from './sections/timing/index.js';
import type { Values, WrittenSettings } from './schema/setting.js';

const ROLES = ['api', 'worker', 'scheduler'] as const;

/** What an instance does. */
export type Role = (typeof ROLES)[number];

/** Reads SERVICE_ROLE: `all`, which is also the default, or a list of roles with commas between. */
export function parseRoles(text: string | undefined): Outcome<ReadonlySet<Role>> {
  if (!text || text.trim() === 'all') return accepted(frozenSet(ROLES));
  const names = text.split(',').map((name) => name.trim());
  const roles = ROLES.filter((role) => names.includes(role));
  if (names.some((name) => !ROLES.some((role) => role === name))) {
    return refused(`must be all, or a list of ${ROLES.join(', ')} with commas between`);
  }
  return accepted(frozenSet(roles));
}

/** `Object.freeze` does not reach the members of a Set; its three mutators are replaced. */
function frozenSet<T>(members: Iterable<T>): ReadonlySet<T> {
  const set = new Set(members);
  const refuse = (): never => {
    throw new TypeError('The configuration is read-only');
  };
  for (const mutator of ['add', 'delete', 'clear']) Object.defineProperty(set, mutator, { value: refuse });
  return Object.freeze(set);
}

type SectionValues<Name extends SectionName> = Values<(typeof declaration)[Name]>;

type Timing = { readonly [Group in keyof typeof timing]: Values<(typeof timing)[Group]> };

/**
 * The whole configuration: read once at start, frozen throughout. Paths are absolute, units are in the names,
 * null means not set. `identity.smtp` is null when mail is not configured; `identity.dataKey` is null only with
 * the embedded database, which then generates one.
 */
export interface Config {
  readonly roles: ReadonlySet<Role>;
  /** Which settings were written, by their names, and where. */
  readonly written: WrittenSettings;
  readonly server: SectionValues<'server'>;
  readonly database: SectionValues<'database'>;
  readonly redis: SectionValues<'redis'>;
  readonly identity: SectionValues<'identity'> & {
    readonly smtp: SectionValues<'identity.smtp'> | null;
    readonly passkeys: SectionValues<'identity.passkeys'>;
    readonly brand: SectionValues<'identity.brand'>;
  };
  readonly auth: SectionValues<'auth'>;
  readonly jobs: SectionValues<'jobs'>;
  readonly functions: SectionValues<'functions'>;
  readonly limits: SectionValues<'limits'>;
  readonly audit: SectionValues<'audit'>;
  readonly admin: SectionValues<'admin'>;
  readonly console: SectionValues<'console'>;
  readonly log: SectionValues<'log'>;
  readonly telemetry: SectionValues<'telemetry'>;
  readonly timing: Timing;
}

/** The values of a section, by the properties that its keys become; null where it is not configured. */
export function sectionOf(config: Config, name: SectionName): Readonly<Record<string, unknown>> | null {
  if (isTimingSection(name)) return config.timing[timingGroup(name)];
  switch (name) {
    case 'identity.smtp':
      return config.identity.smtp;
    case 'identity.passkeys':
      return config.identity.passkeys;
    case 'identity.brand':
      return config.identity.brand;
    default:
      return config[name];
  }
}

/** The token under which the configuration is injected. */
export const CONFIG = Symbol('CONFIG');

@Module({})
export class ConfigModule {
  static register(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: CONFIG, useValue: config }],
      exports: [CONFIG],
    };
  }
}
