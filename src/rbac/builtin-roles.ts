/** The roles that every organization has from its start (identity document, section 2). */
export const BUILTIN_ROLES = {
  owner: ['*'],
  admin: ['data:*:*', 'storage:*:*', 'functions:*:*', 'jobs:*:*', 'auth:members:*', 'auth:roles:*'],
  member: ['data:*:read', 'storage:*:read', 'functions:*:invoke'],
} as const satisfies Record<string, readonly string[]>;

export type BuiltinRole = keyof typeof BUILTIN_ROLES;
