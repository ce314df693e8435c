import { lazy } from 'react';
import type { ReactNode } from 'react';
import { Outlet, useRoutes } from 'react-router';
import type { RouteObject } from 'react-router';
import { InDeployment } from './operator/in-deployment.js';
import { ACCOUNT_PATH, operatorPages, tenantPages } from './pages.js';
import type { PageEntry } from './pages.js';
import { NoSuchPage } from './shell/broken.js';
import { Gate } from './shell/gate.js';
import { ErrorBoundary, PageBoundary } from './shell/page-boundary.js';
import { Shell } from './shell/shell.js';
import { InOrganization, InProject } from './tenant/in-tenant.js';

const AccountPage = lazy(() => import('./pages/account/account-page.js'));
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

const pagesOfTenant = [...tenantPages.map(routeOf), missing];

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
        children: [...operatorPages.map(routeOf), missing],
      },
      {
        element: frame,
        children: [
          { index: true, element: <HomePage /> },
          { path: ACCOUNT_PATH, element: <AccountPage /> },
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
