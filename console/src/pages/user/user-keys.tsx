import { Button, Text } from '@mantine/core';
import type { OrganizationClient, UserApiKey } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Column } from '../../parts/data-table.js';
import { FormModal } from '../../parts/form-modal.js';
import { Instant } from '../../parts/instant.js';
import { keyState } from '../../parts/key-state.js';
import { PagedTable } from '../../parts/paged-table.js';
import { Empty } from '../../parts/states.js';
import { usePages } from '../../parts/use-pages.js';
import { useAccounts } from '../users/accounts.js';
import type { Account } from '../users/accounts.js';
import { useUserText } from './text.js';

interface UserKeysProps {
  readonly account: Account;
  readonly admin: OrganizationClient['admin'];
}

/** The API keys that a user created, which work on after the user has left. */
export function UserKeys({ account: { id }, admin }: UserKeysProps): ReactNode {
  const t = useUserText();
  const { key, isReadOnly } = useAccounts();
  const [leaving, setLeaving] = useState<UserApiKey | null>(null);
  const pages = usePages([...key, 'keys', id], (signal) => admin.users.apiKeys(id, { signal }));
  const close = (): void => {
    setLeaving(null);
  };
  const revoke = useMutation({
    mutationFn: (keyId: string) => admin.users.revokeApiKey(id, keyId),
    onSuccess: close,
  });
  const columns: Column<UserApiKey>[] = [
    {
      key: 'name',
      title: t('key'),
      cell: ({ name, prefix }) => (
        <>
          <span dir="auto">{name}</span> <code>{prefix}…</code>
        </>
      ),
    },
    {
      key: 'organization',
      title: t('organization'),
      cell: ({ org }) => <span dir="auto">{org.name}</span>,
    },
    {
      key: 'used',
      title: t('used'),
      optional: true,
      cell: ({ last_used_at }) => (last_used_at === null ? t('never') : <Instant at={last_used_at} />),
    },
    { key: 'state', title: t('keyState'), optional: true, cell: (row) => t(keyState(row)) },
    {
      key: 'revoke',
      title: t('actionsColumn'),
      align: 'end',
      cell: (row) =>
        keyState(row) === 'active' &&
        !isReadOnly && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              setLeaving(row);
            }}
          >
            {t('revoke')}
          </Button>
        ),
    },
  ];
  return (
    <>
      <PagedTable
        isPart
        label={t('keys')}
        columns={columns}
        pages={pages}
        keyOf={(row) => row.id}
        more={t('more')}
        empty={<Empty icon={KeyRound} title={t('noKeys')} />}
      />
      <FormModal
        title={`${t('revoke')}: ${leaving?.name ?? ''}`}
        isOpen={leaving !== null}
        onClose={close}
        submit={t('revoke')}
        onSubmit={() => {
          if (leaving !== null) revoke.mutate(leaving.id);
        }}
        isPending={revoke.isPending}
        error={revoke.error}
        isDangerous
      >
        <Text size="sm">{t('revokeQuestion')}</Text>
      </FormModal>
    </>
  );
}
