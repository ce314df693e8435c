import type { Member, MemberAccess, Role, RoleHolders } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { compareNames } from '../../parts/compare-names.js';
import { useOrganizationClient, useTenant } from '../../tenant/tenant.js';

const PAGE_SIZE = 100;
/** So many members can be chosen from. */
const MOST_MEMBERS = 1_000;

/** The built-in roles come first, the one that may most before the others. */
const BUILT_IN = ['owner', 'admin', 'member'];

function placeOf(name: string): number {
  const place = BUILT_IN.indexOf(name);
  return place === -1 ? BUILT_IN.length : place;
}

export function useRoles(): UseQueryResult<Role[]> {
  const client = useOrganizationClient();
  const { slug } = useTenant();
  return useQuery({
    queryKey: ['roles', slug],
    queryFn: async ({ signal }) =>
      (await client.roles.list({ limit: PAGE_SIZE, signal }).all()).sort(
        (left, right) => placeOf(left.name) - placeOf(right.name) || compareNames(left.name, right.name),
      ),
  });
}

export function useRole(name: string): UseQueryResult<Role> {
  const client = useOrganizationClient();
  const { slug } = useTenant();
  return useQuery({
    queryKey: ['roles', slug, name],
    queryFn: ({ signal }) => client.roles.get(name, { signal }),
  });
}

/** Who has a role, or would have what it allows. */
export function useHolders(name: string): UseQueryResult<RoleHolders> {
  const client = useOrganizationClient();
  const { slug } = useTenant();
  return useQuery({
    queryKey: ['roles', slug, name, 'holders'],
    queryFn: ({ signal }) => client.roles.holders(name, { signal }),
  });
}

export function useMembers(): UseQueryResult<Member[]> {
  const client = useOrganizationClient();
  const { slug } = useTenant();
  return useQuery({
    queryKey: ['members', slug, 'all'],
    queryFn: ({ signal }) => client.members.list({ limit: PAGE_SIZE, signal }).all(MOST_MEMBERS),
  });
}

/** Whether a member may do something; asked when both are given. */
export function useMemberAccess(member: string, permission: string): UseQueryResult<MemberAccess> {
  const client = useOrganizationClient();
  const { slug } = useTenant();
  return useQuery({
    queryKey: ['members', slug, member, 'access', permission],
    queryFn: ({ signal }) => client.members.access(member, permission, { signal }),
    enabled: member !== '' && permission !== '',
  });
}
