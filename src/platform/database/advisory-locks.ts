/**
 * Every advisory lock of the program. PostgreSQL identifies them only by number, across the whole database, so two
 * purposes with the same number would block each other. A test checks that every lock takes its number from here and
 * that all numbers differ. A released number keeps its meaning, because instances of two releases may run side by
 * side.
 *
 * Where there is one lock for each of many objects, the number is the first half of the lock's key or the seed of its
 * hash. Where an object is not unique in the world, as a UUID is, the schema is part of the key: a deployment in another
 * schema of the database has locks of its own.
 */
export const ADVISORY_LOCKS = {
  /** Migrations at startup. */
  migrations: 7_316_001,
  /** Rotation of the deployment's signing keys. */
  signingKeys: 7_316_002,
  /** Seed of the named locks that a process holds outside transactions. */
  processes: 7_316_003,
  /** Taking or freeing a slug. */
  slugs: 7_316_010,
  /** Seed, with a project's ref. */
  projectRefs: 7_316_011,
  /** First half, with a realm: the pending invitations of a project. */
  projectInvitations: 7_316_012,
  /** First half, with a tenant: its job definitions. */
  tenantJobs: 7_316_020,
  /** First half, with a tenant: the secrets that sign its calls. */
  signingSecrets: 7_316_021,
  /** First half, with a tenant: its secrets. */
  vaultSecrets: 7_316_030,
  /** Database triggers on watched tables. */
  databaseTriggers: 7_316_022,
} as const;
