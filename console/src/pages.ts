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
  /** Its place in the navigation; pages without one are reached from others. */
  readonly navigation?: {
    readonly title: ShellText;
    readonly icon: LucideIcon;
    /** Whether it is shown to these callers. */
    readonly isFor?: (place: Place) => boolean;
  };
}

/** The page of the person's own account, which is in no organization. */
export const ACCOUNT_PATH = '/account';

const needs = (permission: string) => (tenant: Tenant) => tenant.may(permission);
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
    navigation: { title: 'jobs', icon: Boxes, isFor: needs('jobs:jobs:read') },
  },
  { path: 'jobs/:id', load: () => import('./pages/job/job-page.js') },
  {
    path: 'runs',
    load: () => import('./pages/runs/runs-page.js'),
    navigation: { title: 'runs', icon: Activity, isFor: needs('jobs:runs:read') },
  },
  { path: 'runs/:id', load: () => import('./pages/run/run-page.js') },
  {
    path: 'queue',
    load: () => import('./pages/queue/queue-page.js'),
    navigation: { title: 'queue', icon: Layers, isFor: needs('jobs:runs:read') },
  },
  {
    path: 'schedule',
    load: () => import('./pages/schedule/schedule-page.js'),
    navigation: { title: 'schedule', icon: CalendarClock, isFor: needs('jobs:jobs:read') },
  },
  {
    path: 'manifest',
    load: () => import('./pages/manifest/manifest-page.js'),
    navigation: { title: 'manifest', icon: FileJson, isFor: needs('jobs:jobs:write') },
  },
  {
    path: 'secrets',
    load: () => import('./pages/secrets/secrets-page.js'),
    navigation: { title: 'secrets', icon: LockKeyhole, isFor: needs('jobs:secrets:read') },
  },
  {
    path: 'users',
    load: () => import('./pages/users/users-page.js'),
    navigation: { title: 'users', icon: Users, isFor: ({ kind }) => kind === 'project' },
  },
  { path: 'users/import', load: () => import('./pages/user-import/import-page.js') },
  { path: 'users/:id', load: () => import('./pages/user/user-page.js') },
  {
    path: 'members',
    load: () => import('./pages/members/members-page.js'),
    navigation: { title: 'members', icon: Users, isFor: inOrganization('auth:members:read') },
  },
  {
    path: 'roles',
    load: () => import('./pages/roles/roles-page.js'),
    navigation: { title: 'roles', icon: ShieldCheck, isFor: inOrganization('auth:roles:read') },
  },
  { path: 'roles/:name', load: () => import('./pages/role/role-page.js') },
  {
    path: 'keys',
    load: () => import('./pages/keys/keys-page.js'),
    navigation: { title: 'keys', icon: KeyRound, isFor: inOrganization('auth:keys:read') },
  },
  {
    path: 'mail',
    load: () => import('./pages/mail/mail-page.js'),
    navigation: { title: 'mail', icon: Mail, isFor: ({ kind }) => kind === 'project' },
  },
  { path: 'mail/outbox', load: () => import('./pages/outbox/outbox-page.js') },
  {
    path: 'audit',
    load: () => import('./pages/audit/audit-page.js'),
    navigation: { title: 'audit', icon: ScrollText, isFor: needs('auth:audit:read') },
  },
];

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
    navigation: { title: 'users', icon: Users, isFor: ({ profile }) => profile === 'organization' },
  },
  { path: 'users/import', load: () => import('./pages/user-import/import-page.js') },
  { path: 'users/:id', load: () => import('./pages/user/user-page.js') },
  {
    path: 'organizations',
    load: () => import('./pages/organizations/organizations-page.js'),
    navigation: {
      title: 'organizations',
      icon: Building2,
      isFor: ({ profile }) => profile === 'organization',
    },
  },
  {
    path: 'organizations/:org',
    load: () => import('./pages/organization/organization-page.js'),
  },
  {
    path: 'queue',
    load: () => import('./pages/deployment-queue/deployment-queue-page.js'),
    navigation: { title: 'queueAndInstances', icon: Layers },
  },
  {
    path: 'signing-keys',
    load: () => import('./pages/signing-keys/signing-keys-page.js'),
    navigation: {
      title: 'signingKeys',
      icon: KeySquare,
      isFor: ({ profile }) => profile === 'organization',
    },
  },
  {
    path: 'projects',
    load: () => import('./pages/projects/projects-page.js'),
    navigation: { title: 'projects', icon: FolderKanban, isFor: ({ profile }) => profile === 'project' },
  },
  { path: 'projects/:ref', load: () => import('./pages/project/project-page.js') },
  {
    path: 'mail',
    load: () => import('./pages/outbox/outbox-page.js'),
    navigation: { title: 'mailOutbox', icon: Mail },
  },
  {
    path: 'mail/templates',
    load: () => import('./pages/deployment-mail/deployment-mail-page.js'),
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
  return pages.flatMap(({ path, navigation }) =>
    navigation === undefined || navigation.isFor?.(place) === false
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
