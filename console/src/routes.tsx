import { lazy } from 'react';
import type { ReactNode } from 'react';
import { Outlet, useRoutes } from 'react-router';
import type { RouteObject } from 'react-router';
import { InDeployment } from './operator/in-deployment.js';
import { useOperator } from './operator/operator.js';
import type { Operator } from './operator/operator.js';
import { ACCOUNT_PATH, NEW_ORGANIZATION_PATH, operatorPages, tenantPages } from './pages.js';
import type { PageEntry } from './pages.js';
import { Refused } from './parts/states.js';
import { useHasOrganizations } from './session/use-session-options.js';
import { NoSuchPage } from './shell/broken.js';
import { Gate } from './shell/gate.js';
import { ErrorBoundary, PageBoundary } from './shell/page-boundary.js';
import { Shell } from './shell/shell.js';
import { InOrganization, InProject } from './tenant/in-tenant.js';
import { useTenant } from './tenant/tenant.js';
import type { Tenant } from './tenant/tenant.js';

const AccountPage = lazy(() => import('./pages/account/account-page.js'));
const CreateOrganization = lazy(() => import('./pages/home/create-organization.js'));
const HomePage = lazy(() => import('./pages/home/home-page.js'));

const missing: RouteObject = { path: '*', element: <NoSuchPage /> };

const frame = (
  <Shell>
    <PageBoundary>
      <Outlet />
    </PageBoundary>
  </Shell>
);

function routeOf({ path, load }: Pick<PageEntry<never>, 'path' | 'load'>): RouteObject {
  const Page = lazy(load);
  return path === '' ? { index: true, element: <Page /> } : { path, element: <Page /> };
}

/** In place of a page that is not for the caller: it would ask for what the service refuses. */
function Permitted({ entry, children }: { entry: PageEntry<Tenant>; children: ReactNode }): ReactNode {
  const tenant = useTenant();
  if (entry.isFor?.(tenant) !== false) return children;
  // In a project everything is allowed that there is, but to operators who only read.
  return tenant.kind === 'project' && !tenant.isReadOnly ? <NoSuchPage /> : <Refused />;
}

function routeOfTenant(entry: PageEntry<Tenant>): RouteObject {
  const route = routeOf(entry);
  return { ...route, element: <Permitted entry={entry}>{route.element}</Permitted> };
}

/** The pages of users and of projects are each of one profile. */
function InProfile({ entry, children }: { entry: PageEntry<Operator>; children: ReactNode }): ReactNode {
  const operator = useOperator();
  return entry.isFor?.(operator) === false ? <NoSuchPage /> : children;
}

function routeOfOperator(entry: PageEntry<Operator>): RouteObject {
  const route = routeOf(entry);
  return { ...route, element: <InProfile entry={entry}>{route.element}</InProfile> };
}

/** With projects, no account has organizations. */
function NewOrganization(): ReactNode {
  return useHasOrganizations() ? <CreateOrganization /> : <NoSuchPage />;
}

const pagesOfTenant = [...tenantPages.map(routeOfTenant), missing];

const routes: RouteObject[] = [
  {
    element: (
      <ErrorBoundary>
        <Gate />
      </ErrorBoundary>
    ),
    children: [
      {
        path: 'o/:org',
        element: <InOrganization frame={Shell}>{frame}</InOrganization>,
        children: pagesOfTenant,
      },
      { path: 'p/:ref', element: <InProject frame={Shell}>{frame}</InProject>, children: pagesOfTenant },
      {
        path: 'operator',
        element: <InDeployment>{frame}</InDeployment>,
        children: [...operatorPages.map(routeOfOperator), missing],
      },
      {
        element: frame,
        children: [
          { index: true, element: <HomePage /> },
          { path: ACCOUNT_PATH, element: <AccountPage /> },
          { path: NEW_ORGANIZATION_PATH, element: <NewOrganization /> },
          missing,
        ],
      },
    ],
  },
];

/** The page of the address. */
export function Pages(): ReactNode {
  return useRoutes(routes);
}
