import { createClient, MemoryStorage } from '@service/client';
import type { Organization, OrganizationClient, ProjectClient } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useMemo } from 'react';
import { here } from '../session/here.js';
import { session } from '../session/session.js';
import type { ProjectAccess } from '../session/session-routes.js';
import { isAllowed } from './permissions.js';

/** Calls in the name of the person who has signed in, in no organization. */
export const personal = createClient({
  ...here,
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
  /** Of an operator who may change nothing. */
  readonly isReadOnly: boolean;
}

const TenantContext = createContext<Tenant | null>(null);
export const TenantProvider = TenantContext.Provider;

export function useTenant(): Tenant {
  const tenant = useContext(TenantContext);
  if (tenant === null) throw new Error('this page is of an organization or a project');
  return tenant;
}

/** The client of the organization, on pages that projects do not have. */
export function useOrganizationClient(): OrganizationClient {
  const { organization } = useTenant();
  if (organization === null) throw new Error('this page is of an organization');
  return organization;
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

/** @param isAccount false where no person has signed in who could be in organizations */
export function useOrganizations(isAccount = true): Loaded<Organization[]> {
  return useQuery({
    queryKey: ['organizations'],
    queryFn: ({ signal }) => personal.orgs.list({ signal }),
    enabled: isAccount,
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
        isReadOnly: false,
      },
    [client, data],
  );
  return { ...state, data: tenant };
}

export function pathOfProject(ref: string): string {
  return `/p/${ref}`;
}

/** The project of a service key, which may do everything in it. */
export function tenantOfKey({ project, serviceKey }: ProjectAccess): Tenant {
  const client = createClient({ ...here, apikey: serviceKey, storage: new MemoryStorage() });
  return tenantOfProject(project, client, false);
}

/** The calls of an operator in the project of this ref. */
export function operatorClientOf(ref: string): ProjectClient {
  const { token: credential } = session;
  return createClient({
    ...here,
    credential,
    storage: new MemoryStorage(),
    profile: 'project',
    project: ref,
  });
}

/** @param isReadOnly of an operator; the service key may do everything */
export function tenantOfProject(
  { id, ref, name }: ProjectAccess['project'],
  client: ProjectClient,
  isReadOnly: boolean,
): Tenant {
  return {
    kind: 'project',
    id,
    slug: ref,
    name,
    role: null,
    client,
    organization: null,
    project: client,
    path: pathOfProject(ref),
    may: (permission) => !isReadOnly || permission.endsWith(':read'),
    isReadOnly,
  };
}
