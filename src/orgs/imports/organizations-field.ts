import { MAX_TENANTS, nameOf, refuse } from '../../identity/index.js';
import type { TenantField, WantedTenant } from '../../identity/index.js';

function membershipOf(item: unknown, path: string): WantedTenant {
  if (typeof item !== 'object' || item === null) refuse(`${path} must be an object.`);
  const { slug, role, ...others } = item as Readonly<Record<string, unknown>>;
  if (Object.keys(others).length > 0) refuse(`${path} has an unknown field.`);
  return { name: nameOf(slug, `${path}.slug`), role: nameOf(role, `${path}.role`) };
}

/** `organizations` of a line: a list of `{slug, role}`, or nothing. */
export const ORGANIZATIONS: TenantField = {
  name: 'organizations',
  read: (value) => {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value) || value.length > MAX_TENANTS)
      refuse(`organizations must be a list of at most ${MAX_TENANTS}.`);
    const memberships = value.map((item, index) => membershipOf(item, `organizations[${index}]`));
    if (new Set(memberships.map(({ name }) => name)).size < memberships.length)
      refuse('organizations names an organization twice.');
    return memberships;
  },
};
