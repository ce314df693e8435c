import { ServiceError } from '../http/index.js';

/** One segment of a permission: a name, or `*` for every name. */
const SEGMENT = '(?:\\*|[A-Za-z0-9_.-]+)';
const PERMISSION = new RegExp(`^(?:\\*|${SEGMENT}:${SEGMENT}:${SEGMENT})$`);
const SEGMENTS = 3;

/** Longer than any permission that a person would write. In characters. */
export const MAX_PERMISSION_LENGTH = 200;

/** The grammar of a permission: `*`, or `<capability>:<resource>:<action>` with `*` in any place. */
export function isPermission(text: string): boolean {
  return PERMISSION.test(text);
}

function segmentsOf(permission: string): readonly string[] {
  return permission === '*' ? Array<string>(SEGMENTS).fill('*') : permission.split(':');
}

function coversOne(granted: string, wantedSegments: readonly string[]): boolean {
  return segmentsOf(granted).every((segment, index) => segment === '*' || segment === wantedSegments[index]);
}

/**
 * Whether the permissions `granted` include everything that `wanted` allows. A wanted wildcard is covered only by a
 * wildcard in the same place: no list of names, however long, adds up to every name.
 */
export function covers(granted: readonly string[], wanted: string): boolean {
  // Most permissions are held literally or as `*`, and comparing whole texts is cheaper than splitting each of them.
  if (granted.includes(wanted) || granted.includes('*')) return true;
  const segments = segmentsOf(wanted);
  return granted.some((permission) => coversOne(permission, segments));
}

/**
 * Nobody grants or revokes what they do not hold. Every operation that does either calls this: creating, changing and
 * deleting a role (with its old and its new permissions), assigning one, removing a member, creating, revoking and
 * replacing an invitation, creating and revoking an API key.
 *
 * @throws permission_not_held
 */
export function requireCovered(granted: readonly string[], concerned: readonly string[]): void {
  const missing = concerned.find((permission) => !covers(granted, permission));
  if (missing === undefined) return;
  throw new ServiceError('permission_not_held', {
    hint: `This is about ${missing}, which the caller does not hold.`,
  });
}
