import '@mantine/core/styles/Checkbox.layer.css';
import { Button, Checkbox, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SigningKey } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { KeySquare, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useOperator } from '../../operator/operator.js';
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
    { key: 'kid', title: t('kid'), cell: ({ kid }) => <Identifier value={kid} what={t('kid')} short /> },
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

function Rotation({ keys, onClose }: { keys: AdminSigningKeys; onClose: () => void }): ReactNode {
  const t = useSigningKeysText();
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
    >
      <Text size="sm">{t(immediate ? 'immediateText' : 'rotateText')}</Text>
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
      <PagedTable
        label={t('title')}
        columns={columns}
        pages={pages}
        keyOf={({ kid }) => kid}
        more={t('more')}
        empty={<Empty icon={KeySquare} title={t('title')} />}
      />
      {isOpen && <Rotation keys={keys} onClose={close} />}
    </Page>
  );
}

/** The keys that sign access tokens, and their rotation. */
export default function SigningKeysPage(): ReactNode {
  const { organization } = useOperator();
  return organization && <Keys keys={organization.signingKeys} />;
}
