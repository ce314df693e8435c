import { Text } from '@mantine/core';
import type { Operator } from '@service/client';
import { ShieldUser } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useOperator } from '../../operator/operator.js';
import { useOperators } from '../../operator/use-operators.js';
import { BreakableText } from '../../parts/breakable-text.js';
import { DataTable } from '../../parts/data-table.js';
import type { Column } from '../../parts/data-table.js';
import { Instant } from '../../parts/instant.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import classes from '../users/users-page.module.css';
import { useDeploymentOverviewText } from './text.js';

/** Who operates the deployment. The command line adds and removes them. */
export function OperatorsCard(): ReactNode {
  const t = useDeploymentOverviewText();
  const { organization, path } = useOperator();
  const { data, error, refetch } = useOperators();
  const columns: Column<Operator>[] = [
    {
      key: 'email',
      title: t('account'),
      cell: ({ user_id: id, email }) => {
        const address = <BreakableText>{email}</BreakableText>;
        // Projects have users; these accounts belong to none.
        return (
          <bdi>
            {organization === null ? (
              address
            ) : (
              <Link to={`${path}/users/${id}`} className={classes.name}>
                {address}
              </Link>
            )}
          </bdi>
        );
      },
    },
    { key: 'access', title: t('access'), cell: ({ access }) => t(access) },
    { key: 'added', title: t('added'), optional: true, cell: ({ added_at: at }) => <Instant at={at} /> },
  ];
  return (
    <Card
      flush
      title={t('operators')}
      action={
        <Text size="xs" c="dimmed">
          {t('operatorsHint')}
        </Text>
      }
    >
      <DataTable
        label={t('operators')}
        columns={columns}
        rows={data}
        keyOf={({ user_id: id }) => id}
        error={error}
        onRetry={() => void refetch()}
        expected={2}
        empty={<Empty icon={ShieldUser} title={t('noOperators')} />}
      />
    </Card>
  );
}
