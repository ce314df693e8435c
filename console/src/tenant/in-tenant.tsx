import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import { PageSkeleton } from '../parts/page.js';
import { isCode, isRefusal } from '../parts/queries.js';
import { Empty, Failure } from '../parts/states.js';
import { keepPlace } from '../session/last-place.js';
import { useAccess } from '../session/use-session.js';
import { operatorClientOf, tenantOfKey, tenantOfProject, TenantProvider, useOrganization } from './tenant.js';
import { useTenantText } from './text.js';

interface InTenantProps {
  /** Stands around a refusal, so that there is a way to somewhere else. */
  readonly frame: ComponentType<{ children: ReactNode }>;
  readonly children: ReactNode;
}

interface RefusalProps extends Pick<InTenantProps, 'frame'> {
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** The service tells nobody whether there is an organization that they do not belong to. */
function NotOpen(): ReactNode {
  const t = useTenantText();
  return (
    <div role="alert">
      <Empty
        isWholePage
        icon={SearchX}
        title={t('notOpen')}
        action={
          <Button component={Link} to="/" variant="default">
            {t('home')}
          </Button>
        }
      >
        {t('notOpenText')}
      </Empty>
    </div>
  );
}

function Refusal({ frame: Frame, error, refetch }: RefusalProps): ReactNode {
  return (
    <Frame>
      {isCode(error, 'not_a_member', 'project_not_found') ? (
        <NotOpen />
      ) : (
        <Failure isWholePage error={error} onRetry={() => void refetch()} />
      )}
    </Frame>
  );
}

/** Shows the pages of the organization in the address once it is known what the person may do there. */
export function InOrganization({ frame, children }: InTenantProps): ReactNode {
  const { org = '' } = useParams();
  const { data, error, isPending, refetch } = useOrganization(org);
  const id = data?.id;
  useEffect(() => {
    if (id !== undefined) keepPlace(id);
  }, [id]);
  if (data !== undefined && !isRefusal(error))
    return <TenantProvider value={data}>{children}</TenantProvider>;
  return isPending ? <PageSkeleton /> : <Refusal frame={frame} error={error} refetch={refetch} />;
}

interface OperatedProjectProps extends InTenantProps {
  readonly projectRef: string;
  readonly isReadOnly: boolean;
}

function OperatedProject({ projectRef, isReadOnly, frame, children }: OperatedProjectProps): ReactNode {
  const client = useMemo(() => operatorClientOf(projectRef), [projectRef]);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['deployment', 'project', projectRef],
    queryFn: ({ signal }) => client.admin.projects.get(projectRef, { signal }),
  });
  const tenant = useMemo(() => data && tenantOfProject(data, client, isReadOnly), [data, client, isReadOnly]);
  if (tenant !== undefined) return <TenantProvider value={tenant}>{children}</TenantProvider>;
  return isPending ? <PageSkeleton /> : <Refusal frame={frame} error={error} refetch={refetch} />;
}

/** Shows the pages of a project to the holder of its service key, or to an operator. */
export function InProject({ frame, children }: InTenantProps): ReactNode {
  const { ref = '' } = useParams();
  const access = useAccess();
  const ofKey = useMemo(() => (access.kind === 'project' ? tenantOfKey(access) : null), [access]);
  if (ofKey?.slug === ref) return <TenantProvider value={ofKey}>{children}</TenantProvider>;
  if (access.kind === 'project' || access.operator === null) return <Navigate to="/" replace />;
  return (
    <OperatedProject projectRef={ref} isReadOnly={access.operator === 'read_only'} frame={frame}>
      {children}
    </OperatedProject>
  );
}
