import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { Navigate, useParams } from 'react-router';
import { PageSkeleton } from '../parts/page.js';
import { Failure } from '../parts/states.js';
import { useAccess } from '../session/use-session.js';
import { tenantOfProject, TenantProvider, useOrganization } from './tenant.js';

/** Shows the pages of the organization in the address once it is known what the person may do there. */
export function InOrganization({ children }: { children: ReactNode }): ReactNode {
  const { org = '' } = useParams();
  const { data, error, isPending, refetch } = useOrganization(org);
  if (data !== undefined) return <TenantProvider value={data}>{children}</TenantProvider>;
  return isPending ? <PageSkeleton /> : <Failure error={error} onRetry={() => void refetch()} />;
}

/** Shows the pages of the project whose service key the session has. */
export function InProject({ children }: { children: ReactNode }): ReactNode {
  const { ref } = useParams();
  const access = useAccess();
  const tenant = useMemo(() => (access.kind === 'project' ? tenantOfProject(access) : null), [access]);
  if (tenant === null || tenant.slug !== ref) return <Navigate to="/" replace />;
  return <TenantProvider value={tenant}>{children}</TenantProvider>;
}
