import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { Page, PageSkeleton } from '../../parts/page.js';
import { Failure } from '../../parts/states.js';
import { operatorAccount } from '../../operator/operator.js';
import { useSessionOptions } from '../../session/use-session-options.js';
import { useAccess } from '../../session/use-session.js';
import { personal } from '../../tenant/tenant.js';
import { DeleteAccount } from './delete-account.js';
import { OwnFactors } from './factors/own-factors.js';
import { OwnActivity } from './own-activity.js';
import { OwnOrganizations } from './own-organizations.js';
import { OwnSessions } from './own-sessions.js';
import { Profile } from './profile.js';
import { useAccountText } from './text.js';

function Account(): ReactNode {
  const t = useAccountText();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['account'],
    queryFn: ({ signal }) => personal.auth.user({ signal }),
  });
  if (isPending) return <PageSkeleton />;
  if (data === undefined) return <Failure isWholePage error={error} onRetry={() => void refetch()} />;
  return (
    <Page title={t('title')} about={<bdi>{data.email}</bdi>} actions={<DeleteAccount />}>
      <Profile user={data} />
      <OwnFactors />
      <OwnSessions endOthers={() => personal.auth.signOut({ scope: 'others' })} />
      <OwnOrganizations user={data} />
      <OwnActivity />
    </Page>
  );
}

/** With projects, the accounts here are those of operators: `servicectl operators` makes and removes them. */
function OperatorAccount({ email }: { email: string }): ReactNode {
  const t = useAccountText();
  return (
    <Page title={t('title')} about={<bdi>{email}</bdi>}>
      <OwnFactors />
      <OwnSessions endOthers={() => operatorAccount.revokeOtherSessions()} />
    </Page>
  );
}

/** The person's own account. */
export default function AccountPage(): ReactNode {
  const access = useAccess();
  const { data: options, error, isPending, refetch } = useSessionOptions();
  if (isPending) return <PageSkeleton />;
  if (options === undefined) return <Failure isWholePage error={error} onRetry={() => void refetch()} />;
  if (access.kind === 'project') return <Navigate to="/" replace />;
  return options.profile === 'project' ? <OperatorAccount email={access.user.email} /> : <Account />;
}
