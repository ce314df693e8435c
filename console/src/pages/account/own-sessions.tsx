import { Button, Text } from '@mantine/core';
import type { OwnSession } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Column } from '../../parts/data-table.js';
import { deviceOf } from '../../parts/device.js';
import { Instant } from '../../parts/instant.js';
import { PagedTable } from '../../parts/paged-table.js';
import { messageOf } from '../../parts/queries.js';
import { Empty } from '../../parts/states.js';
import { usePages } from '../../parts/use-pages.js';
import { personal } from '../../tenant/tenant.js';
import { useAccountText } from './text.js';

/** Where the person is signed in. The session of this browser ends by signing out. */
export function OwnSessions({ endOthers: endAll }: { endOthers: () => Promise<void> }): ReactNode {
  const t = useAccountText();
  const pages = usePages<OwnSession>(['account', 'sessions'], (signal) => personal.auth.sessions({ signal }));
  const end = useMutation({ mutationFn: (id: string) => personal.auth.revokeSession(id) });
  const endOthers = useMutation({ mutationFn: endAll });
  const error = end.error ?? endOthers.error;
  const columns: Column<OwnSession>[] = [
    {
      key: 'device',
      title: t('device'),
      cell: ({ user_agent, current }) => (
        <span title={user_agent ?? undefined}>
          {deviceOf(user_agent)}
          {current && (
            <Text span size="xs" c="dimmed">
              {' '}
              ({t('thisSession')})
            </Text>
          )}
        </span>
      ),
    },
    { key: 'ip', title: t('ip'), optional: true, cell: ({ ip }) => <code>{ip ?? '–'}</code> },
    {
      key: 'signedIn',
      title: t('signedIn'),
      optional: true,
      cell: ({ created_at }) => <Instant at={created_at} />,
    },
    {
      key: 'used',
      title: t('lastUsed'),
      cell: ({ last_refreshed_at }) => <Instant at={last_refreshed_at} />,
    },
    {
      key: 'actions',
      title: t('actions'),
      align: 'end',
      cell: ({ id, current }) =>
        !current && (
          <Button
            size="compact-sm"
            variant="default"
            loading={end.isPending && end.variables === id}
            onClick={() => {
              end.mutate(id);
            }}
          >
            {t('end')}
          </Button>
        ),
    },
  ];
  return (
    <>
      {error !== null && (
        <Text role="alert" size="sm" c="var(--bad)">
          {messageOf(error)}
        </Text>
      )}
      <PagedTable
        isPart
        label={t('sessions')}
        action={
          pages.items?.some(({ current }) => !current) === true && (
            <Button
              size="compact-sm"
              variant="default"
              loading={endOthers.isPending}
              onClick={() => {
                endOthers.mutate();
              }}
            >
              {t('endOthers')}
            </Button>
          )
        }
        columns={columns}
        pages={pages}
        keyOf={({ id }) => id}
        more={t('more')}
        empty={<Empty icon={MonitorSmartphone} title={t('noSessions')} />}
      />
    </>
  );
}
