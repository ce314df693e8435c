import {
  Activity,
  Boxes,
  Building2,
  FileJson,
  FolderKanban,
  CalendarClock,
  KeyRound,
  KeySquare,
  Layers,
  LayoutDashboard,
  LockKeyhole,
  Mail,
  ScrollText,
  ShieldCheck,
  SlidersHorizontal,
  Users,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { ShellText } from './shell/text.js';
import type { Operator } from './operator/operator.js';
import type { Tenant } from './tenant/tenant.js';

/** @typeParam Place the organization or project, or the operator of the deployment */
export interface PageEntry<Place> {
  /** Below `/o/<organization>` and `/p/<project>`, or below `/operator`. */
  readonly path: string;
  readonly load: () => Promise<{ default: ComponentType }>;
  /** Whether these callers have it; else the navigation leaves it out, and its address says so. */
  readonly isFor?: (place: Place) => boolean;
  /** Its place in the navigation; pages without one are reached from others. */
  readonly navigation?: {
    readonly title: ShellText;
    readonly icon: LucideIcon;
  };
}

/** The page of the person's own account, which is in no organization. */
export const ACCOUNT_PATH = '/account';

/** Where a person creates a further organization. */
export const NEW_ORGANIZATION_PATH = '/new';

const needs = (permission: string) => (tenant: Tenant) => tenant.may(permission);
const inProject = ({ kind }: Tenant): boolean => kind === 'project';
const inOrganization = (permission: string) => (tenant: Tenant) =>
  tenant.kind === 'organization' && tenant.may(permission);

/** The pages of an organization or a project, in the order of the navigation. */
export const tenantPages: readonly PageEntry<Tenant>[] = [
  {
    path: '',
    load: () => import('./pages/overview/overview-page.js'),
    navigation: { title: 'overview', icon: LayoutDashboard },
  },
  {
    path: 'jobs',
    load: () => import('./pages/jobs/jobs-page.js'),
    isFor: needs('jobs:jobs:read'),
    navigation: { title: 'jobs', icon: Boxes },
  },
  { path: 'jobs/:id', load: () => import('./pages/job/job-page.js') },
  {
    path: 'runs',
    load: () => import('./pages/runs/runs-page.js'),
    isFor: needs('jobs:runs:read'),
    navigation: { title: 'runs', icon: Activity },
  },
  { path: 'runs/:id', load: () => import('./pages/run/run-page.js') },
  {
    path: 'queue',
    load: () => import('./pages/queue/queue-page.js'),
    isFor: needs('jobs:runs:read'),
    navigation: { title: 'queue', icon: Layers },
  },
  {
    path: 'schedule',
    load: () => import('./pages/schedule/schedule-page.js'),
    isFor: needs('jobs:jobs:read'),
    navigation: { title: 'schedule', icon: CalendarClock },
  },
  {
    path: 'manifest',
    load: () => import('./pages/manifest/manifest-page.js'),
    isFor: needs('jobs:jobs:write'),
    navigation: { title: 'manifest', icon: FileJson },
  },
  {
    path: 'secrets',
    load: () => import('./pages/secrets/secrets-page.js'),
    isFor: needs('jobs:secrets:read'),
    navigation: { title: 'secrets', icon: LockKeyhole },
  },
  {
    path: 'users',
    load: () => import('./pages/users/users-page.js'),
    isFor: inProject,
    navigation: { title: 'users', icon: Users },
  },
  { path: 'users/import', load: () => import('./pages/user-import/import-page.js'), isFor: inProject },
  { path: 'users/:id', load: () => import('./pages/user/user-page.js'), isFor: inProject },
  {
    path: 'members',
    load: () => import('./pages/members/members-page.js'),
    isFor: inOrganization('auth:members:read'),
    navigation: { title: 'members', icon: Users },
  },
  {
    path: 'roles',
    load: () => import('./pages/roles/roles-page.js'),
    isFor: inOrganization('auth:roles:read'),
    navigation: { title: 'roles', icon: ShieldCheck },
  },
  {
    path: 'roles/:name',
    load: () => import('./pages/role/role-page.js'),
    isFor: inOrganization('auth:roles:read'),
  },
  {
    path: 'keys',
    load: () => import('./pages/keys/keys-page.js'),
    isFor: inOrganization('auth:keys:read'),
    navigation: { title: 'keys', icon: KeyRound },
  },
  {
    path: 'mail',
    load: () => import('./pages/mail/mail-page.js'),
    isFor: inProject,
    navigation: { title: 'mail', icon: Mail },
  },
  { path: 'mail/outbox', load: () => import('./pages/outbox/outbox-page.js'), isFor: inProject },
  {
    path: 'audit',
    load: () => import('./pages/audit/audit-page.js'),
    isFor: needs('auth:audit:read'),
    navigation: { title: 'audit', icon: ScrollText },
  },
];

const ofOrganizations = ({ profile }: Operator): boolean => profile === 'organization';
const ofProjects = ({ profile }: Operator): boolean => profile === 'project';

/** The pages of the deployment, for operators, in the order of the navigation. */
export const operatorPages: readonly PageEntry<Operator>[] = [
  {
    path: '',
    load: () => import('./pages/deployment-overview/deployment-overview-page.js'),
    navigation: { title: 'overview', icon: LayoutDashboard },
  },
  {
    path: 'users',
    load: () => import('./pages/users/users-page.js'),
    isFor: ofOrganizations,
    navigation: { title: 'users', icon: Users },
  },
  { path: 'users/import', load: () => import('./pages/user-import/import-page.js'), isFor: ofOrganizations },
  { path: 'users/:id', load: () => import('./pages/user/user-page.js'), isFor: ofOrganizations },
  {
    path: 'organizations',
    load: () => import('./pages/organizations/organizations-page.js'),
    isFor: ofOrganizations,
    navigation: { title: 'organizations', icon: Building2 },
  },
  {
    path: 'organizations/:org',
    load: () => import('./pages/organization/organization-page.js'),
    isFor: ofOrganizations,
  },
  {
    path: 'queue',
    load: () => import('./pages/deployment-queue/deployment-queue-page.js'),
    navigation: { title: 'queueAndInstances', icon: Layers },
  },
  {
    path: 'signing-keys',
    load: () => import('./pages/signing-keys/signing-keys-page.js'),
    isFor: ofOrganizations,
    navigation: { title: 'signingKeys', icon: KeySquare },
  },
  {
    path: 'projects',
    load: () => import('./pages/projects/projects-page.js'),
    isFor: ofProjects,
    navigation: { title: 'projects', icon: FolderKanban },
  },
  { path: 'projects/:ref', load: () => import('./pages/project/project-page.js'), isFor: ofProjects },
  {
    path: 'mail',
    load: () => import('./pages/outbox/outbox-page.js'),
    navigation: { title: 'mailOutbox', icon: Mail },
  },
  {
    path: 'mail/templates',
    load: () => import('./pages/deployment-mail/deployment-mail-page.js'),
    isFor: ofOrganizations,
  },
  {
    path: 'settings',
    load: () => import('./pages/settings/settings-page.js'),
    navigation: { title: 'settings', icon: SlidersHorizontal },
  },
  {
    path: 'audit',
    load: () => import('./pages/deployment-audit/deployment-audit-page.js'),
    navigation: { title: 'audit', icon: ScrollText },
  },
];

export interface NavigationEntry {
  readonly to: string;
  readonly title: ShellText;
  readonly icon: LucideIcon;
  /** The place itself, whose address begins those of all its pages. */
  readonly isWhole: boolean;
}

/** The pages that the navigation shows of a place. */
export function navigationOf<Place extends { readonly path: string }>(
  pages: readonly PageEntry<Place>[],
  place: Place,
): NavigationEntry[] {
  return pages.flatMap(({ path, navigation, isFor }) =>
    navigation === undefined || isFor?.(place) === false
      ? []
      : [
          {
            to: path === '' ? place.path : `${place.path}/${path}`,
            title: navigation.title,
            icon: navigation.icon,
            isWhole: path === '',
          },
        ],
  );
}
