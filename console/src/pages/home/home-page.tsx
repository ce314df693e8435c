import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { DEPLOYMENT_PATH, operatorOf } from '../../operator/operator.js';
import { PageSkeleton } from '../../parts/page.js';
import { Failure } from '../../parts/states.js';
import { IN_DEPLOYMENT, lastPlace } from '../../session/last-place.js';
import { useSessionOptions } from '../../session/use-session-options.js';
import { useAccess, useIsOperator } from '../../session/use-session.js';
import { pathOf, useOrganizations } from '../../tenant/tenant.js';

/** Whoever has an organization needs no form for one. */
const CreateOrganization = lazy(() => import('./create-organization.js'));

function AccountHome(): ReactNode {
  const { data: options, error, isPending, refetch } = useSessionOptions();
  if (isPending) return <PageSkeleton />;
  if (options === undefined) return <Failure isWholePage error={error} onRetry={() => void refetch()} />;
  // With projects, only operators have accounts here.
  return options.profile === 'project' ? <DeploymentHome /> : <OrganizationHome />;
}

/** The deployment of projects; where there are none yet, the place to create one. */
function DeploymentHome(): ReactNode {
  const { data, isPending } = useQuery({
    queryKey: ['deployment', 'any-project'],
    queryFn: async ({ signal }) =>
      (await operatorOf('project', 'read_only').project?.projects.list({ limit: 1, signal }).page())?.items
        .length,
  });
  if (isPending) return <PageSkeleton />;
  return <Navigate to={data === 0 ? `${DEPLOYMENT_PATH}/projects` : DEPLOYMENT_PATH} replace />;
}

/** The place where the person was last, if it is still open to them; else the newest organization. */
function OrganizationHome(): ReactNode {
  const isOperator = useIsOperator();
  const { data, error, isPending, refetch } = useOrganizations();
  if (isPending) return <PageSkeleton />;
  if (data === undefined) return <Failure isWholePage error={error} onRetry={() => void refetch()} />;
  const last = lastPlace();
  if (isOperator && last === IN_DEPLOYMENT) return <Navigate to={DEPLOYMENT_PATH} replace />;
  const organization = data.find(({ id }) => id === last) ?? data[0];
  if (organization !== undefined) return <Navigate to={pathOf(organization)} replace />;
  return (
    <Suspense fallback={<PageSkeleton />}>
      <CreateOrganization />
    </Suspense>
  );
}

/** Leads to where the person can begin. */
export default function HomePage(): ReactNode {
  const access = useAccess();
  return access.kind === 'project' ? <Navigate to={`/p/${access.project.ref}`} replace /> : <AccountHome />;
}
