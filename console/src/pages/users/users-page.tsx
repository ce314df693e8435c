import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { FileUp, UserPlus, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { isAccountId } from '../../parts/account-id.js';
import { BreakableText } from '../../parts/breakable-text.js';
import type { Column } from '../../parts/data-table.js';
import { useFilters } from '../../parts/filters.js';
import { FindFilter } from '../../parts/find-filter.js';
import { Identifier } from '../../parts/identifier.js';
import { Instant } from '../../parts/instant.js';
import { Page } from '../../parts/page.js';
import { PagedTable } from '../../parts/paged-table.js';
import { isCode } from '../../parts/queries.js';
import { Empty, NothingFound } from '../../parts/states.js';
import { usePages } from '../../parts/use-pages.js';
import { useTenantOrNone } from '../../tenant/tenant.js';
import { AccountState } from './account-state.js';
import { nameOf, useAccounts } from './accounts.js';
import type { Account, Accounts } from './accounts.js';
import { CreateUser } from './create-user.js';
import { SignInSettings } from './sign-in-settings.js';
import { useUsersText } from './text.js';
import classes from './users-page.module.css';

const PAGE_SIZE = 50;

/** Users by words of their address and name, or the one of an id. */
function listOf({ client }: Accounts, find: string, signal: AbortSignal) {
  return {
    page: async (cursor?: string): Promise<{ items: Account[]; nextCursor: string | null }> => {
      if (!isAccountId(find))
        return await client
          .list({ ...(find === '' ? {} : { search: find }), limit: PAGE_SIZE, signal })
          .page(cursor);
      try {
        return { items: [await client.get(find, { signal })], nextCursor: null };
      } catch (error) {
        if (isCode(error, 'user_not_found')) return { items: [], nextCursor: null };
        throw error;
      }
    },
  };
}

function PersonName({ name }: { name: string | null }): ReactNode {
  return (
    name !== null && (
      <span className={`${classes.person} two-lines`} dir="auto" title={name}>
        <BreakableText>{name}</BreakableText>
      </span>
    )
  );
}

function useColumns(path: string): readonly Column<Account>[] {
  const t = useUsersText();
  return [
    {
      key: 'email',
      title: t('email'),
      cell: (account) => (
        <>
          <Link to={`${path}/${account.id}`} className={classes.name} dir="auto">
            <BreakableText>{account.email}</BreakableText>
          </Link>
          <PersonName name={nameOf(account)} />
        </>
      ),
    },
    { key: 'state', title: t('state'), cell: (account) => <AccountState {...account} /> },
    {
      key: 'id',
      title: t('id'),
      optional: true,
      cell: ({ id }) => <Identifier value={id} what={t('id')} to={`${path}/${id}`} short />,
    },
    {
      key: 'created',
      title: t('created'),
      optional: true,
      cell: ({ created_at }) => <Instant at={created_at} />,
    },
  ];
}

/** The users of the deployment, or of a project. */
export default function UsersPage(): ReactNode {
  const t = useUsersText();
  const accounts = useAccounts();
  const tenant = useTenantOrNone();
  const filters = useFilters(['find']);
  const { find } = filters.values;
  const columns = useColumns(accounts.path);
  const pages = usePages([...accounts.key, 'list', find], (signal) => listOf(accounts, find, signal));
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Page
      title={t('title')}
      about={t(accounts.project === null ? 'about' : 'aboutProject')}
      actions={
        !accounts.isReadOnly && (
          <Group gap="sm">
            <Button
              component={Link}
              to={`${accounts.path}/import`}
              variant="default"
              leftSection={<FileUp size={15} />}
            >
              {t('import')}
            </Button>
            <Button leftSection={<UserPlus size={15} />} onClick={open}>
              {t('create')}
            </Button>
          </Group>
        )
      }
    >
      <FindFilter label={t(accounts.project === null ? 'find' : 'findInProject')} filters={filters} />
      <PagedTable
        label={t('title')}
        columns={columns}
        pages={pages}
        keyOf={({ id }) => id}
        opensRows
        more={t('more')}
        empty={
          filters.isAny ? (
            <NothingFound onClear={filters.clear} />
          ) : (
            <Empty icon={Users} title={t('emptyTitle')}>
              {t('emptyText')}
            </Empty>
          )
        }
      />
      {accounts.project !== null && tenant?.project && (
        <SignInSettings project={tenant.project} slug={tenant.slug} isReadOnly={tenant.isReadOnly} />
      )}
      <CreateUser isOpen={isOpen} onClose={close} />
    </Page>
  );
}
