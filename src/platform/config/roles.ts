import { accepted, refused } from './schema/outcome.js';
import type { Outcome } from './schema/outcome.js';

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
