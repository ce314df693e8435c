/** One segment of a permission: a name, or `*` for every name. */
const SEGMENT = '(?:\\*|[A-Za-z0-9_.-]+)';
const PERMISSION = new RegExp(`^(?:\\*|${SEGMENT}:${SEGMENT}:${SEGMENT})$`);
const SEGMENTS = 3;

/** Longer than any that a person names. Characters. */
export const MAX_PERMISSION_LENGTH = 200;

/** The grammar of a permission: `*`, or `<capability>:<resource>:<action>` with `*` in any place. */
export function isPermission(text: string): boolean {
  return PERMISSION.test(text);
}

function segmentsOf(permission: string): readonly string[] {
  return permission === '*' ? Array<string>(SEGMENTS).fill('*') : permission.split(':');
}

function coversOne(held: string, wantedSegments: readonly string[]): boolean {
  return segmentsOf(held).every((segment, index) => segment === '*' || segment === wantedSegments[index]);
}

/**
 * Whether whoever holds `held` has everything that `wanted` allows. A wanted wildcard is covered by a
 * wildcard in the same place only: no list of names, however long, adds up to every name.
 */
export function covers(held: readonly string[], wanted: string): boolean {
  // Most are held just so, or as `*`: comparing whole texts is cheap beside taking each of them apart.
  if (held.includes(wanted) || held.includes('*')) return true;
  const segments = segmentsOf(wanted);
  return held.some((permission) => coversOne(permission, segments));
}
