import { Activity, Boxes, LayoutDashboard } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { ShellText } from './shell/text.js';
import type { Tenant } from './tenant/tenant.js';

export interface PageEntry {
  /** Below `/o/<organization>` or `/p/<project>`. */
  readonly path: string;
  readonly load: () => Promise<{ default: ComponentType }>;
  /** Its place in the navigation; pages without one are reached from others. */
  readonly navigation?: {
    readonly title: ShellText;
    readonly icon: LucideIcon;
    /** Whether it is shown to these callers. */
    readonly isFor?: (tenant: Tenant) => boolean;
  };
}

const needs = (permission: string) => (tenant: Tenant) => tenant.may(permission);

/** The pages of an organization or a project, in the order of the navigation. */
export const tenantPages: readonly PageEntry[] = [
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
];
