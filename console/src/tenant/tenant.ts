import { createClient, MemoryStorage } from '@service/client';
import type { Organization, OrganizationClient, ProjectClient } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useMemo } from 'react';
import { session } from '../session/session.js';
import type { ProjectAccess } from '../session/session-routes.js';
import { isAllowed } from './permissions.js';

/** Calls in the name of the person who has signed in, in no organization. */
export const personal = createClient({
  url: location.origin,
  credential: session.token,
  storage: new MemoryStorage(),
});

type Shared = 'jobs' | 'runs' | 'logs' | 'vault' | 'signingSecret' | 'hooks';

/** The organization or project whose pages are shown, and what may be done in it. */
export interface Tenant {
  readonly kind: 'organization' | 'project';
  readonly id: string;
  /** An organization's slug or a project's ref. */
  readonly slug: string;
  readonly name: string;
  /** Of an organization's member. */
  readonly role: string | null;
  /** What organizations and projects have alike. */
  readonly client: Pick<OrganizationClient, Shared> | Pick<ProjectClient, Shared>;
  /** Null in the other profile. */
  readonly organization: OrganizationClient | null;
  readonly project: ProjectClient | null;
  /** Where its pages are. */
  readonly path: string;
  readonly may: (permission: string) => boolean;
}

const TenantContext = createContext<Tenant | null>(null);
export const TenantProvider = TenantContext.Provider;

export function useTenant(): Tenant {
  const tenant = useContext(TenantContext);
  if (tenant === null) throw new Error('this page is of an organization or a project');
  return tenant;
}

export function useTenantOrNone(): Tenant | null {
  return useContext(TenantContext);
}

export function pathOf({ slug }: Pick<Organization, 'slug'>): string {
  return `/o/${slug}`;
}

interface Loaded<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
}

export function useOrganizations(): Loaded<Organization[]> {
  return useQuery({
    queryKey: ['organizations'],
    queryFn: ({ signal }) => personal.orgs.list({ signal }),
    staleTime: 60_000,
  });
}

/** What the person may do in the organization of this slug. */
export function useOrganization(slug: string): Loaded<Tenant> {
  const client = useMemo(() => personal.inOrg(slug), [slug]);
  const { data, ...state } = useQuery({
    queryKey: ['permissions', slug],
    queryFn: ({ signal }) => client.permissions.get({ signal }),
    staleTime: 30_000,
  });
  const tenant = useMemo<Tenant | undefined>(
    () =>
      data && {
        ...data.org,
        kind: 'organization',
        role: data.role,
        client,
        organization: client,
        project: null,
        path: pathOf(data.org),
        may: (permission) => isAllowed(data.permissions, permission),
      },
    [client, data],
  );
  return { ...state, data: tenant };
}

/** The project of a service key, which may do everything in it. */
export function tenantOfProject({ project: { id, ref, name }, serviceKey }: ProjectAccess): Tenant {
  const client = createClient({ url: location.origin, apikey: serviceKey, storage: new MemoryStorage() });
  return {
    kind: 'project',
    id,
    slug: ref,
    name,
    role: null,
    client,
    organization: null,
    project: client,
    path: `/p/${ref}`,
    may: () => true,
  };
}
