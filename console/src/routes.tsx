import { createBrowserRouter, Outlet } from 'react-router';
import type { RouteObject } from 'react-router';
import { tenantPages } from './pages.js';
import type { PageEntry } from './pages.js';
import { PageSkeleton } from './parts/page.js';
import { Broken, NoSuchPage } from './shell/broken.js';
import { Gate } from './shell/gate.js';
import { Shell } from './shell/shell.js';
import { InOrganization, InProject } from './tenant/in-tenant.js';

function routeOf({ path, load }: PageEntry): RouteObject {
  const lazy = async () => ({ Component: (await load()).default });
  return path === '' ? { index: true, lazy } : { path, lazy };
}

const pagesOfTenant: RouteObject[] = [
  {
    errorElement: <Broken />,
    children: [...tenantPages.map(routeOf), { path: '*', element: <NoSuchPage /> }],
  },
];

export const router = createBrowserRouter(
  [
    {
      element: <Gate />,
      errorElement: <Broken />,
      hydrateFallbackElement: <PageSkeleton />,
      children: [
        {
          path: 'o/:org',
          element: (
            <InOrganization>
              <Shell>
                <Outlet />
              </Shell>
            </InOrganization>
          ),
          children: pagesOfTenant,
        },
        {
          path: 'p/:ref',
          element: (
            <InProject>
              <Shell>
                <Outlet />
              </Shell>
            </InProject>
          ),
          children: pagesOfTenant,
        },
        {
          element: (
            <Shell>
              <Outlet />
            </Shell>
          ),
          children: [
            {
              index: true,
              lazy: async () => ({ Component: (await import('./pages/home/home-page.js')).default }),
            },
            { path: '*', element: <NoSuchPage /> },
          ],
        },
      ],
    },
  ],
  { basename: '/console' },
);
