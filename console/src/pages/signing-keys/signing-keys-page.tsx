import '@mantine/core/styles/Checkbox.layer.css';
import { Button, Checkbox, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SigningKey } from '@service/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { KeySquare, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useOperator } from '../../operator/operator.js';
import { NarrowLine } from '../../parts/data-table.js';
import type { Column } from '../../parts/data-table.js';
import { FormModal } from '../../parts/form-modal.js';
import { useFormats } from '../../parts/format.js';
import { Identifier } from '../../parts/identifier.js';
import { Instant } from '../../parts/instant.js';
import { Page } from '../../parts/page.js';
import { PagedTable } from '../../parts/paged-table.js';
import { Empty } from '../../parts/states.js';
import { usePages } from '../../parts/use-pages.js';
import { KeyTimeline } from './key-timeline.js';
import classes from './signing-keys-page.module.css';
import { useSigningKeysText } from './text.js';

type AdminSigningKeys = NonNullable<ReturnType<typeof useOperator>['organization']>['signingKeys'];

function useKeyColumns(): Column<SigningKey>[] {
  const t = useSigningKeysText();
  const formats = useFormats();
  const about = ({ state, signs_at, retires_at }: SigningKey): string =>
    t(`${state}About`, { at: formats.instant((state === 'next' ? signs_at : retires_at) ?? signs_at) });
  return [
    {
      key: 'kid',
      title: t('kid'),
      cell: ({ kid, signs_at, retires_at }) => (
        <>
          <Identifier value={kid} what={t('kid')} short />
          <NarrowLine>
            {t('signs')} <Instant at={signs_at} />
          </NarrowLine>
          {retires_at !== null && (
            <NarrowLine>
              {t('retires')} <Instant at={retires_at} />
            </NarrowLine>
          )}
        </>
      ),
    },
    {
      key: 'state',
      title: t('state'),
      cell: (key) => (
        <span>
          <span className={classes.state} data-state={key.state}>
            {t(key.state)}
          </span>
          <span className={classes.about}>{about(key)}</span>
        </span>
      ),
    },
    {
      key: 'created',
      title: t('created'),
      optional: true,
      cell: ({ created_at }) => <Instant at={created_at} />,
    },
    { key: 'signs', title: t('signs'), optional: true, cell: ({ signs_at }) => <Instant at={signs_at} /> },
    {
      key: 'retires',
      title: t('retires'),
      optional: true,
      cell: ({ retires_at }) => <Instant at={retires_at} />,
    },
  ];
}

const DAY_MS = 86_400_000;

/** When the active key is replaced by itself; nothing while its successor is published already. */
function NextRotation({ keys }: { keys: readonly SigningKey[] }): ReactNode {
  const t = useSigningKeysText();
  const { client } = useOperator();
  const { data: settings = [] } = useQuery({
    queryKey: ['operator', 'settings'],
    queryFn: ({ signal }) => client.settings.list({ signal }),
    staleTime: 60_000,
  });
  const days = settings.find(({ name }) => name === 'identity.key_rotation_days')?.value;
  const since = keys.find(({ state }) => state === 'active')?.active_at ?? null;
  if (typeof days !== 'number' || since === null || keys.some(({ state }) => state === 'next')) return null;
  if (days === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('byHandOnly')}
      </Text>
    );
  return (
    <Text size="sm" c="dimmed">
      {t('byItself')} <Instant at={new Date(new Date(since).getTime() + days * DAY_MS).toISOString()} />
    </Text>
  );
}

interface RotationProps {
  readonly keys: AdminSigningKeys;
  /** The key that is published already and signs next. */
  readonly next: SigningKey | undefined;
  readonly onClose: () => void;
}

function Rotation({ keys, next, onClose }: RotationProps): ReactNode {
  const t = useSigningKeysText();
  const formats = useFormats();
  const [immediate, setImmediate] = useState(false);
  const rotate = useMutation({ mutationFn: () => keys.rotate({ immediate }), onSuccess: onClose });
  return (
    <FormModal
      title={t('rotateTitle')}
      isOpen
      onClose={onClose}
      submit={t('rotate')}
      onSubmit={() => {
        rotate.mutate();
      }}
      isPending={rotate.isPending}
      error={rotate.error}
      isDangerous={immediate}
      isDisabled={next !== undefined && !immediate}
    >
      <Text size="sm">
        {next === undefined || immediate
          ? t(immediate ? 'immediateText' : 'rotateText')
          : t('nextIsThere', { kid: `…${next.kid.slice(-10)}`, at: formats.instant(next.signs_at) })}
      </Text>
      <Checkbox
        label={t('immediate')}
        checked={immediate}
        onChange={({ currentTarget }) => {
          setImmediate(currentTarget.checked);
        }}
      />
    </FormModal>
  );
}

function Keys({ keys }: { keys: AdminSigningKeys }): ReactNode {
  const t = useSigningKeysText();
  const { isReadOnly } = useOperator();
  const [isOpen, { open, close }] = useDisclosure();
  const columns = useKeyColumns();
  const pages = usePages<SigningKey>(['operator', 'signing-keys'], (signal) => keys.list({ signal }));
  return (
    <Page
      title={t('title')}
      about={t('about', { address: `${location.origin}/.well-known/jwks.json` })}
      actions={
        !isReadOnly && (
          <Button leftSection={<RefreshCw size={15} />} onClick={open}>
            {t('rotate')}
          </Button>
        )
      }
    >
      <KeyTimeline keys={pages.items ?? []} />
      <NextRotation keys={pages.items ?? []} />
      <PagedTable
        label={t('title')}
        columns={columns}
        pages={pages}
        keyOf={({ kid }) => kid}
        more={t('more')}
        empty={<Empty icon={KeySquare} title={t('title')} />}
      />
      {isOpen && (
        <Rotation keys={keys} next={pages.items?.find(({ state }) => state === 'next')} onClose={close} />
      )}
    </Page>
  );
}

/** The keys that sign access tokens, and their rotation. */
export default function SigningKeysPage(): ReactNode {
  const { organization } = useOperator();
  return organization && <Keys keys={organization.signingKeys} />;
}
