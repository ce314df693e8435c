import type { OrganizationClient } from '../../../client/src/index.js';

type Profile = Awaited<ReturnType<OrganizationClient['auth']['user']>>;
type ProfileOrg = Profile['orgs'][number];

/** An organization of the caller; the role is null where the profile leaves it out. */
export type OwnOrg = Omit<ProfileOrg, 'role'> & { readonly role: ProfileOrg['role'] | null };

/** A profile shows no more than this; it is full, and there may be others. */
const MAX_IN_PROFILE = 1_000;

/** Every organization of the caller, newest first. */
export async function ownOrgs(client: OrganizationClient, { orgs }: Profile): Promise<OwnOrg[]> {
  if (orgs.length < MAX_IN_PROFILE) return orgs;
  const roles = new Map(orgs.map(({ id, role }) => [id, role]));
  return (await client.orgs.list()).map(({ id, slug, name }) => ({
    id,
    slug,
    name,
    role: roles.get(id) ?? null,
  }));
}
