import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { declaration, SectionName } from './declaration.js';
import type { Role } from './roles.js';
import type { Values } from './schema/setting.js';

type SectionValues<Name extends SectionName> = Values<(typeof declaration)[Name]>;

/**
 * The whole configuration: read once at start, frozen throughout. Paths are absolute, units are in the names,
 * null means not set. `identity.smtp` is null when mail is not configured; `identity.dataKey` is null only with
 * the embedded database, which then generates one.
 */
export interface Config {
  readonly roles: ReadonlySet<Role>;
  readonly server: SectionValues<'server'>;
  readonly database: SectionValues<'database'>;
  readonly redis: SectionValues<'redis'>;
  readonly identity: SectionValues<'identity'> & { readonly smtp: SectionValues<'identity.smtp'> | null };
  readonly auth: SectionValues<'auth'>;
  readonly jobs: SectionValues<'jobs'>;
  readonly functions: SectionValues<'functions'>;
  readonly limits: SectionValues<'limits'>;
  readonly audit: SectionValues<'audit'>;
  readonly admin: SectionValues<'admin'>;
  readonly log: SectionValues<'log'>;
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
