import { Button, Text } from '@mantine/core';
import type { CurrentUser } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { BreakableText } from '../../parts/breakable-text.js';
import { DataTable } from '../../parts/data-table.js';
import type { Column } from '../../parts/data-table.js';
import { FormModal } from '../../parts/form-modal.js';
import { Card } from '../../parts/page.js';
import { LastOwner } from '../../parts/last-owner.js';
import { Empty } from '../../parts/states.js';
import { pathOf, personal } from '../../tenant/tenant.js';
import classes from '../users/users-page.module.css';
import { useAccountText } from './text.js';

type Membership = CurrentUser['orgs'][number];

/** More are shown on demand, so that what follows is in reach. */
const SHOWN_AT_FIRST = 8;

/** The organizations of the person, with their role in each. */
export function OwnOrganizations({ user: { id, orgs } }: { user: CurrentUser }): ReactNode {
  const t = useAccountText();
  const [leaving, setLeaving] = useState<Membership | null>(null);
  const [isWhole, setWhole] = useState(orgs.length <= SHOWN_AT_FIRST);
  const stay = (): void => {
    setLeaving(null);
    leave.reset();
  };
  const leave = useMutation({
    mutationFn: (org: string) => personal.members.remove(id, { org }),
    onSuccess: stay,
  });
  const columns: Column<Membership>[] = [
    {
      key: 'name',
      title: t('organization'),
      cell: (organization) => (
        <Link to={pathOf(organization)} className={classes.name} dir="auto">
          <BreakableText>{organization.name}</BreakableText>
        </Link>
      ),
    },
    { key: 'role', title: t('role'), cell: ({ role }) => role },
    {
      key: 'actions',
      title: t('actions'),
      align: 'end',
      cell: (organization) => (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            setLeaving(organization);
          }}
        >
          {t('leave')}
        </Button>
      ),
    },
  ];
  return (
    <Card flush title={t('organizations')}>
      <DataTable
        label={t('organizations')}
        columns={columns}
        rows={isWhole ? orgs : orgs.slice(0, SHOWN_AT_FIRST)}
        keyOf={(organization) => organization.id}
        opensRows
        empty={
          <Empty icon={Building2} title={t('noOrganizations')}>
            <Link to="/">{t('createOrganization')}</Link>
          </Empty>
        }
      />
      {!isWhole && (
        <Button
          variant="subtle"
          fullWidth
          onClick={() => {
            setWhole(true);
          }}
        >
          {t('allOrganizations', { number: orgs.length })}
        </Button>
      )}
      <FormModal
        title={t('leaveTitle', { name: leaving?.name ?? '' })}
        isOpen={leaving !== null}
        onClose={stay}
        submit={t('leave')}
        onSubmit={() => {
          if (leaving !== null) leave.mutate(leaving.id);
        }}
        isPending={leave.isPending}
        error={leave.error}
        isDangerous
      >
        <Text size="sm">{t('leaveText')}</Text>
        {leaving !== null && <LastOwner error={leave.error} path={pathOf(leaving)} />}
      </FormModal>
    </Card>
  );
}
