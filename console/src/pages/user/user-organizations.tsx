import { Button, Text } from '@mantine/core';
import type { OrganizationClient, UserOrganization } from '@service/client';
import { Building2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Column } from '../../parts/data-table.js';
import { PagedTable } from '../../parts/paged-table.js';
import { Empty } from '../../parts/states.js';
import { usePages } from '../../parts/use-pages.js';
import { useAccounts } from '../users/accounts.js';
import type { Account } from '../users/accounts.js';
import classes from '../users/users-page.module.css';
import { HandOver } from './hand-over.js';
import { useUserText } from './text.js';

interface UserOrganizationsProps {
  readonly account: Account;
  readonly admin: OrganizationClient['admin'];
}

/** The organizations of a user; one that would be left without an owner can be handed over. */
export function UserOrganizations({ account, admin }: UserOrganizationsProps): ReactNode {
  const t = useUserText();
  const { key, isReadOnly } = useAccounts();
  const [given, setGiven] = useState<UserOrganization | null>(null);
  const [done, setDone] = useState<{ name: string; owner: string } | null>(null);
  const pages = usePages([...key, 'organizations', account.id], (signal) =>
    admin.users.organizations(account.id, { signal }),
  );
  const columns: Column<UserOrganization>[] = [
    {
      key: 'name',
      title: t('organization'),
      cell: ({ slug, name }) => (
        <Link to={`/operator/organizations/${slug}`} className={classes.name} dir="auto">
          {name}
        </Link>
      ),
    },
    {
      key: 'role',
      title: t('role'),
      cell: ({ role, only_owner }) => (only_owner ? `${role} · ${t('onlyOwner')}` : role),
    },
    {
      key: 'hand-over',
      title: t('actionsColumn'),
      align: 'end',
      cell: (organization) =>
        organization.only_owner &&
        !isReadOnly && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              setDone(null);
              setGiven(organization);
            }}
          >
            {t('handOver')}
          </Button>
        ),
    },
  ];
  return (
    <>
      <PagedTable
        isPart
        label={t('organizations')}
        action={
          done !== null && (
            <Text role="status" size="sm" c="var(--ok)">
              {t('handedOver', done)}
            </Text>
          )
        }
        columns={columns}
        pages={pages}
        keyOf={({ id }) => id}
        opensRows
        more={t('more')}
        empty={<Empty icon={Building2} title={t('noOrganizations')} />}
      />
      {given !== null && (
        <HandOver
          admin={admin}
          organization={given}
          email={account.email}
          onDone={(owner) => {
            setDone({ name: given.name, owner });
            setGiven(null);
          }}
          onClose={() => {
            setGiven(null);
          }}
        />
      )}
    </>
  );
}
