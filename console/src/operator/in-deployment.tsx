import { useEffect, useMemo } from 'react';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { PageSkeleton } from '../parts/page.js';
import { Failure } from '../parts/states.js';
import { IN_DEPLOYMENT, keepPlace } from '../session/last-place.js';
import { useSessionOptions } from '../session/use-session-options.js';
import { useAccess } from '../session/use-session.js';
import { operatorOf, OperatorProvider } from './operator.js';

/** Shows the pages of the deployment to operators, and leads all others to the start. */
export function InDeployment({ children }: { children: ReactNode }): ReactNode {
  const access = useAccess();
  const { data, error, isPending, refetch } = useSessionOptions();
  const rights = access.kind === 'account' ? access.operator : null;
  const profile = data?.profile;
  const operator = useMemo(
    () => (rights === null || profile === undefined ? null : operatorOf(profile, rights)),
    [profile, rights],
  );
  const isHere = operator !== null;
  useEffect(() => {
    if (isHere) keepPlace(IN_DEPLOYMENT);
  }, [isHere]);
  if (rights === null) return <Navigate to="/" replace />;
  if (isPending) return <PageSkeleton />;
  if (operator === null) return <Failure isWholePage error={error} onRetry={() => void refetch()} />;
  return <OperatorProvider value={operator}>{children}</OperatorProvider>;
}
