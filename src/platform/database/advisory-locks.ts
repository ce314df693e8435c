/**
 * Every advisory lock of the program. PostgreSQL knows them by number alone, across the whole database, so two
 * subjects with one number would wait for each other. A test holds that each use takes its number from here and
 * that all differ. A released number keeps its meaning: instances of two releases run side by side.
 *
 * Where a lock is for each of many things, the number is the first half of its key, or the seed of a hash.
 */
export const ADVISORY_LOCKS = {
  /** Migrations at start. */
  migrations: 7_316_001,
  /** Rotation of the deployment's signing keys. */
  signingKeys: 7_316_002,
  /** Seed of locks by name that a process holds outside transactions. */
  processes: 7_316_003,
  /** Who takes or frees a slug. */
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
