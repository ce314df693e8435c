import { Button, Select, Text } from '@mantine/core';
import type { ApiKey, CreatedApiKey } from '@service/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Column } from '../../parts/data-table.js';
import { useFilters } from '../../parts/filters.js';
import { FormModal } from '../../parts/form-modal.js';
import { Instant } from '../../parts/instant.js';
import { keyState } from '../../parts/key-state.js';
import { Page } from '../../parts/page.js';
import { PagedTable } from '../../parts/paged-table.js';
import { Empty, NothingFound } from '../../parts/states.js';
import { usePages } from '../../parts/use-pages.js';
import { useOrganizationClient, useTenant } from '../../tenant/tenant.js';
import { CreateKey } from './create-key.js';
import { NewKey } from './new-key.js';
import { useKeysText } from './text.js';

const SHOWN_PERMISSIONS = 3;
const PAGE_SIZE = 100;
const MOST = 2_000;

function useKeyColumns(onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
  const t = useKeysText();
  const { may } = useTenant();
  return [
    {
      key: 'name',
      title: t('name'),
      cell: ({ name, prefix }) => (
        <span>
          <bdi>{name}</bdi>
          <br />
          <code style={{ color: 'var(--quiet)' }}>{prefix}…</code>
        </span>
      ),
    },
    {
      key: 'permissions',
      title: t('permissions'),
      optional: true,
      cell: ({ permissions }) => (
        <span title={permissions.join('\n')}>
          <code>{permissions.slice(0, SHOWN_PERMISSIONS).join(', ')}</code>
          {permissions.length > SHOWN_PERMISSIONS && ` +${permissions.length - SHOWN_PERMISSIONS}`}
        </span>
      ),
    },
    {
      key: 'creator',
      title: t('creator'),
      optional: true,
      cell: ({ creator_name, created_by }) => <bdi>{creator_name ?? created_by}</bdi>,
    },
    {
      key: 'used',
      title: t('used'),
      optional: true,
      cell: ({ last_used_at }) => (last_used_at === null ? t('never') : <Instant at={last_used_at} />),
    },
    {
      key: 'expires',
      title: t('expires'),
      optional: true,
      cell: ({ expires_at }) => (expires_at === null ? t('never') : <Instant at={expires_at} />),
    },
    { key: 'state', title: t('state'), cell: (key) => t(keyState(key)) },
    {
      key: 'actions',
      title: t('actions'),
      align: 'end',
      cell: (key) =>
        keyState(key) === 'active' &&
        may('auth:keys:delete') && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              onRevoke(key);
            }}
          >
            {t('revoke')}
          </Button>
        ),
    },
  ];
}

/** Who created keys, also those who have left. */
function useCreators(): { value: string; label: string }[] {
  const { slug } = useTenant();
  const { apiKeys } = useOrganizationClient();
  const { data = [] } = useQuery({
    queryKey: ['keys', slug, 'creators'],
    queryFn: ({ signal }) => apiKeys.list({ limit: PAGE_SIZE, signal }).all(MOST),
  });
  const names = new Map(data.map(({ created_by, creator_name }) => [created_by, creator_name ?? created_by]));
  return [...names].map(([value, label]) => ({ value, label }));
}

function CreatorFilter({
  value,
  onChange,
}: {
  value: string;
  onChange: (id: string | null) => void;
}): ReactNode {
  const t = useKeysText();
  const creators = useCreators();
  return (
    <Select
      aria-label={t('creator')}
      placeholder={t('allCreators')}
      data={creators}
      value={value === '' ? null : value}
      onChange={onChange}
      searchable
      clearable
      w={{ base: '100%', xs: 260 }}
    />
  );
}

export default function KeysPage(): ReactNode {
  const t = useKeysText();
  const { slug, may } = useTenant();
  const { apiKeys } = useOrganizationClient();
  const filters = useFilters(['created_by']);
  const [opened, setOpened] = useState<'create' | CreatedApiKey | null>(null);
  const [leaving, setLeaving] = useState<ApiKey | null>(null);
  const columns = useKeyColumns(setLeaving);
  const creator = filters.values.created_by;
  const pages = usePages<ApiKey>(['keys', slug, creator], (signal) =>
    apiKeys.list({ ...(creator === '' ? {} : { createdBy: creator }), signal }),
  );
  const close = (): void => {
    setOpened(null);
  };
  const stay = (): void => {
    setLeaving(null);
  };
  const revoke = useMutation({ mutationFn: (id: string) => apiKeys.revoke(id), onSuccess: stay });
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        may('auth:keys:create') && (
          <Button
            leftSection={<Plus size={15} />}
            onClick={() => {
              setOpened('create');
            }}
          >
            {t('create')}
          </Button>
        )
      }
    >
      <CreatorFilter
        value={creator}
        onChange={(id) => {
          filters.set({ created_by: id });
        }}
      />
      <PagedTable
        label={t('title')}
        columns={columns}
        pages={pages}
        keyOf={({ id }) => id}
        more={t('more')}
        empty={
          filters.isAny ? (
            <NothingFound onClear={filters.clear} />
          ) : (
            <Empty icon={KeyRound} title={t('emptyTitle')}>
              {t('emptyText')}
            </Empty>
          )
        }
      />
      {opened === 'create' && <CreateKey onCreated={setOpened} onClose={close} />}
      {opened !== null && opened !== 'create' && <NewKey created={opened} onClose={close} />}
      <FormModal
        title={t('revokeTitle', { name: leaving?.name ?? '' })}
        isOpen={leaving !== null}
        onClose={stay}
        submit={t('revoke')}
        onSubmit={() => {
          if (leaving !== null) revoke.mutate(leaving.id);
        }}
        isPending={revoke.isPending}
        error={revoke.error}
        isDangerous
      >
        <Text size="sm">{t('revokeText')}</Text>
      </FormModal>
    </Page>
  );
}
