import { Button, Group, Text } from '@mantine/core';
import type { Secret } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { DataTable } from '../../parts/data-table.js';
import type { Column } from '../../parts/data-table.js';
import { compareNames } from '../../parts/compare-names.js';
import { useFilters } from '../../parts/filters.js';
import { FindFilter } from '../../parts/find-filter.js';
import { FormModal } from '../../parts/form-modal.js';
import { Instant } from '../../parts/instant.js';
import { Card, Page } from '../../parts/page.js';
import { Empty, NothingFound } from '../../parts/states.js';
import { useTenant } from '../../tenant/tenant.js';
import { SecretForm } from './secret-form.js';
import { useSecretsText } from './text.js';
import { useSecrets } from './use-secrets.js';

/** With more of them a search field is shown. */
const FOUND_FROM = 8;

type Opened = { readonly act: 'add' } | { readonly act: 'replace' | 'remove'; readonly path: string };

function Removal({ path, onClose }: { path: string; onClose: () => void }): ReactNode {
  const t = useSecretsText();
  const { client } = useTenant();
  const remove = useMutation({ mutationFn: () => client.vault.delete(path), onSuccess: onClose });
  return (
    <FormModal
      title={t('removeTitle', { path })}
      isOpen
      onClose={onClose}
      submit={t('remove')}
      onSubmit={() => {
        remove.mutate();
      }}
      isPending={remove.isPending}
      error={remove.error}
      isDangerous
    >
      <Text size="sm">{t('removeText')}</Text>
    </FormModal>
  );
}

/** The secrets of an organization or project: their paths, never their values. */
export default function SecretsPage(): ReactNode {
  const t = useSecretsText();
  const tenant = useTenant();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = (): void => {
    setOpened(null);
  };
  const { data, error, refetch } = useSecrets();
  const filters = useFilters(['find']);
  const wanted = filters.values.find.toLowerCase();
  const shown = data
    ?.filter(({ path }) => path.toLowerCase().includes(wanted))
    .sort((left, right) => compareNames(left.path, right.path));
  const mayWrite = tenant.may('jobs:secrets:write');
  const columns: Column<Secret>[] = [
    {
      key: 'path',
      title: t('path'),
      cell: ({ path }) => (
        <code className="two-lines" title={path}>
          {path}
        </code>
      ),
    },
    {
      key: 'updated',
      title: t('updated'),
      optional: 'phone',
      cell: ({ updated_at }) => <Instant at={updated_at} />,
    },
    {
      key: 'created',
      title: t('created'),
      optional: true,
      cell: ({ created_at }) => <Instant at={created_at} />,
    },
  ];
  if (mayWrite)
    columns.push({
      key: 'actions',
      title: t('actions'),
      align: 'end',
      cell: ({ path }) => (
        <Group gap={6} justify="flex-end" wrap="nowrap">
          {(['replace', 'remove'] as const).map((act) => (
            <Button
              key={act}
              size="compact-sm"
              variant="default"
              aria-label={`${t(act)}: ${path}`}
              onClick={() => {
                setOpened({ act, path });
              }}
            >
              {t(act)}
            </Button>
          ))}
        </Group>
      ),
    });
  const add = mayWrite && (
    <Button
      onClick={() => {
        setOpened({ act: 'add' });
      }}
    >
      {t('add')}
    </Button>
  );
  return (
    <Page title={t('title')} about={t('about')} actions={data?.length === 0 ? undefined : add}>
      {((data?.length ?? 0) > FOUND_FROM || filters.isAny) && (
        <FindFilter label={t('find')} filters={filters} />
      )}
      <Card flush>
        <DataTable
          label={t('title')}
          columns={columns}
          rows={shown}
          keyOf={({ path }) => path}
          error={error}
          onRetry={() => void refetch()}
          empty={
            filters.isAny && data?.length !== 0 ? (
              <NothingFound onClear={filters.clear} />
            ) : (
              <Empty icon={KeyRound} title={t('none')} action={add}>
                {t('noneText')}
              </Empty>
            )
          }
        />
      </Card>
      {opened?.act === 'remove' && <Removal path={opened.path} onClose={close} />}
      {opened !== null && opened.act !== 'remove' && (
        <SecretForm path={opened.act === 'add' ? null : opened.path} onClose={close} />
      )}
    </Page>
  );
}
