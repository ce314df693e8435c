/** Whether a granted permission covers one: `*` covers everything, and in a place every word of it. */
export function covers(granted: string, wanted: string): boolean {
  if (granted === '*') return true;
  const words = wanted.split(':');
  const places = granted.split(':');
  return (
    places.length === words.length && places.every((place, index) => place === '*' || place === words[index])
  );
}

export function isAllowed(granted: readonly string[], wanted: string): boolean {
  return granted.some((permission) => covers(permission, wanted));
}

/** What Service itself checks, by resource. Other programs check permissions of their own beside these. */
export const CHECKED_BY_SERVICE: Readonly<Record<string, readonly string[]>> = {
  'jobs:jobs': ['read', 'write', 'trigger'],
  'jobs:endpoints': ['write'],
  'jobs:runs': ['read', 'cancel'],
  'jobs:logs': ['read'],
  'jobs:secrets': ['read', 'write'],
  'auth:members': ['read', 'invite', 'update', 'delete'],
  'auth:roles': ['read', 'create', 'update', 'delete'],
  'auth:keys': ['read', 'create', 'delete'],
  'auth:audit': ['read'],
  'auth:orgs': ['update', 'delete'],
};

export const KNOWN_PERMISSIONS: readonly string[] = Object.entries(CHECKED_BY_SERVICE).flatMap(
  ([resource, actions]) => actions.map((action) => `${resource}:${action}`),
);

/** What Service checks, and what roles name beside it. */
export function namedBy(roles: readonly { readonly permissions: readonly string[] }[]): string[] {
  const named = roles.flatMap(({ permissions }) => permissions).filter((permission) => permission !== '*');
  return [...new Set([...KNOWN_PERMISSIONS, ...named.sort()])];
}

/** Whether it is a permission that one can have, not the beginning of one or a pattern. */
export function isWhole(permission: string): boolean {
  return /^[^:*\s]+:[^:*\s]+:[^:*\s]+$/.test(permission);
}
