import { Button } from '@mantine/core';
import type { ManagedSession } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Column } from '../../parts/data-table.js';
import { deviceOf } from '../../parts/device.js';
import { Instant } from '../../parts/instant.js';
import { PagedTable } from '../../parts/paged-table.js';
import { Empty } from '../../parts/states.js';
import { usePages } from '../../parts/use-pages.js';
import { useAccounts } from '../users/accounts.js';
import type { Account } from '../users/accounts.js';
import { useUserText } from './text.js';

export function UserSessions({ account: { id } }: { account: Account }): ReactNode {
  const t = useUserText();
  const { key, client, isReadOnly } = useAccounts();
  const pages = usePages<ManagedSession>([...key, 'sessions', id], (signal) =>
    client.sessions(id, { signal }),
  );
  const end = useMutation({ mutationFn: (session: string) => client.endSession(id, session) });
  const endAll = useMutation({ mutationFn: () => client.endSessions(id) });
  const columns: Column<ManagedSession>[] = [
    {
      key: 'device',
      title: t('device'),
      cell: ({ ip, user_agent }) => (
        <span title={user_agent ?? undefined}>
          <code>{ip ?? '–'}</code> {user_agent !== null && deviceOf(user_agent)}
        </span>
      ),
    },
    {
      key: 'signed',
      title: t('signedIn'),
      optional: true,
      cell: ({ created_at }) => <Instant at={created_at} />,
    },
    {
      key: 'used',
      title: t('lastUsed'),
      cell: ({ last_refreshed_at }) => <Instant at={last_refreshed_at} />,
    },
  ];
  if (!isReadOnly)
    columns.push({
      key: 'end',
      title: t('actionsColumn'),
      align: 'end',
      cell: (session) => (
        <Button
          size="compact-sm"
          variant="default"
          loading={end.isPending && end.variables === session.id}
          onClick={() => {
            end.mutate(session.id);
          }}
        >
          {t('end')}
        </Button>
      ),
    });
  return (
    <PagedTable
      isPart
      label={t('sessions')}
      action={
        !isReadOnly &&
        pages.items !== undefined &&
        pages.items.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            loading={endAll.isPending}
            onClick={() => {
              endAll.mutate();
            }}
          >
            {t('endAll')}
          </Button>
        )
      }
      columns={columns}
      pages={pages}
      keyOf={(session) => session.id}
      more={t('more')}
      empty={<Empty icon={MonitorSmartphone} title={t('noSessions')} />}
    />
  );
}
