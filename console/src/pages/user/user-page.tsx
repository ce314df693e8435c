import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { BreakableText } from '../../parts/breakable-text.js';
import { Facts } from '../../parts/facts.js';
import { Identifier } from '../../parts/identifier.js';
import { Instant } from '../../parts/instant.js';
import { Card, Page, PageSkeleton } from '../../parts/page.js';
import { Failure } from '../../parts/states.js';
import { AccountState } from '../users/account-state.js';
import { nameOf, useAccounts } from '../users/accounts.js';
import type { Account } from '../users/accounts.js';
import { useUsersText } from '../users/text.js';
import { useUserText } from './text.js';
import { OperatorAccess } from './operator-access.js';
import { UserActions } from './user-actions.js';
import { UserAudit } from './user-audit.js';
import { UserFactors } from './user-factors.js';
import { UserKeys } from './user-keys.js';
import { UserOrganizations } from './user-organizations.js';
import { UserSessions } from './user-sessions.js';

function Shown({ account }: { account: Account }): ReactNode {
  const t = useUserText();
  const users = useUsersText();
  const { path, organizations } = useAccounts();
  const name = nameOf(account);
  return (
    <Page
      title={account.email}
      above={[{ title: t('users'), to: path }]}
      actions={<UserActions account={account} />}
    >
      <Card>
        <Facts
          facts={[
            ...(name === null ? [] : [{ name: users('name'), value: <BreakableText>{name}</BreakableText> }]),
            { name: users('state'), value: <AccountState {...account} /> },
            { name: users('id'), value: <Identifier value={account.id} what={users('id')} /> },
            { name: t('passwordSet'), value: t(account.has_password ? 'yes' : 'no') },
            ...(organizations === null
              ? []
              : [{ name: t('operator'), value: <OperatorAccess userId={account.id} /> }]),
            { name: users('created'), value: <Instant at={account.created_at} /> },
            ...(account.disabled_at === null
              ? []
              : [{ name: t('disabledSince'), value: <Instant at={account.disabled_at} /> }]),
          ]}
        />
      </Card>
      {organizations !== null && <UserOrganizations account={account} admin={organizations} />}
      <UserFactors account={account} />
      <UserSessions account={account} />
      {organizations !== null && <UserKeys account={account} admin={organizations} />}
      <UserAudit account={account} />
    </Page>
  );
}

/** A user: what is known, what they have, and what can be done about them. */
export default function UserPage(): ReactNode {
  const { id = '' } = useParams();
  const { key, client, path } = useAccounts();
  const { data, error, isPending, refetch } = useQuery<Account>({
    queryKey: [...key, 'user', id],
    queryFn: ({ signal }) => client.get(id, { signal }),
  });
  if (data !== undefined) return <Shown account={data} />;
  return isPending ? (
    <PageSkeleton />
  ) : (
    <Failure isWholePage list={path} error={error} onRetry={() => void refetch()} />
  );
}
