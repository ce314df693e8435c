import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Factor } from '@service/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Fingerprint, ShieldCheck, ShieldPlus } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { DataTable } from '../../../parts/data-table.js';
import type { Column } from '../../../parts/data-table.js';
import { FormModal } from '../../../parts/form-modal.js';
import { hasPasskeys } from '../../../parts/passkeys.js';
import { Card } from '../../../parts/page.js';
import { Empty } from '../../../parts/states.js';
import { session } from '../../../session/session.js';
import { useIsOperator } from '../../../session/use-session.js';
import { personal } from '../../../tenant/tenant.js';
import { AddFactor } from './add-factor.js';
import { AddPasskey } from './add-passkey.js';
import { useFactorColumns } from './factor-columns.js';
import { isGivenUp, useRecentProof } from './recent-proof.js';
import { RecoveryCodes } from './recovery-codes.js';
import { RenameFactor } from './rename-factor.js';
import { useFactorsText } from './text.js';

/** What the person asks for, beside adding a factor. */
type Wanted = { readonly removal: Factor } | { readonly renaming: Factor } | 'codes' | null;

/** The person's second factors and recovery codes. */
export function OwnFactors(): ReactNode {
  const t = useFactorsText();
  const factors = useQuery({
    queryKey: ['account', 'factors'],
    queryFn: ({ signal }) => personal.auth.factors.list({ signal }),
  });
  const count = factors.data?.length ?? 0;
  const isOperator = useIsOperator();
  const { dialog, withProof } = useRecentProof(factors.data ?? []);
  const [isAdding, { open, close }] = useDisclosure();
  const [isAddingPasskey, passkeyDialog] = useDisclosure();
  const [wanted, setWanted] = useState<Wanted>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const forget = (): void => {
    setWanted(null);
    remove.reset();
    renew.reset();
  };
  const remove = useMutation({
    mutationFn: (id: string) => withProof(() => personal.auth.factors.remove(id)),
    onSuccess: async () => {
      setWanted(null);
      // Operators may do nothing without a factor.
      if (isOperator && count === 1) await session.renewRights();
    },
  });
  const renew = useMutation({
    mutationFn: () => withProof(() => personal.auth.factors.renewRecoveryCodes()),
    onSuccess: (renewed) => {
      setWanted(null);
      setCodes(renewed);
    },
  });
  const columns: Column<Factor>[] = [
    ...useFactorColumns(),
    {
      key: 'actions',
      title: t('actions'),
      align: 'end',
      cell: (factor) => (
        <Group gap={6} justify="flex-end">
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              setWanted({ renaming: factor });
            }}
          >
            {t('rename')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              setWanted({ removal: factor });
            }}
          >
            {t('remove')}
          </Button>
        </Group>
      ),
    },
  ];
  return (
    <Card
      flush
      title={t('title')}
      action={
        <Group gap={6}>
          {count > 0 && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                setWanted('codes');
              }}
            >
              {t('renew')}
            </Button>
          )}
          <Button size="compact-sm" variant="default" leftSection={<ShieldPlus size={14} />} onClick={open}>
            {t('add')}
          </Button>
          {hasPasskeys() && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<Fingerprint size={14} />}
              onClick={passkeyDialog.open}
            >
              {t('addPasskey')}
            </Button>
          )}
        </Group>
      }
    >
      <DataTable
        label={t('title')}
        columns={columns}
        rows={factors.data}
        keyOf={({ id }) => id}
        error={factors.error}
        onRetry={() => void factors.refetch()}
        empty={
          <Empty icon={ShieldCheck} title={t('none')}>
            {t('noneHint')}
          </Empty>
        }
        expected={1}
      />
      {isAdding && (
        <AddFactor
          isFirst={count === 0}
          withProof={withProof}
          onClose={close}
          onAdded={(shown) => {
            close();
            setCodes(shown);
          }}
        />
      )}
      {isAddingPasskey && (
        <AddPasskey
          isFirst={count === 0}
          withProof={withProof}
          onClose={passkeyDialog.close}
          onAdded={(shown) => {
            passkeyDialog.close();
            setCodes(shown);
          }}
        />
      )}
      {wanted !== null && wanted !== 'codes' && 'renaming' in wanted && (
        <RenameFactor factor={wanted.renaming} withProof={withProof} onClose={forget} />
      )}
      {wanted === 'codes' && (
        <FormModal
          title={t('renew')}
          isOpen
          onClose={forget}
          submit={t('renew')}
          onSubmit={() => {
            renew.mutate();
          }}
          isPending={renew.isPending}
          error={isGivenUp(renew.error) ? null : renew.error}
        >
          <Text size="sm">{t('renewText')}</Text>
        </FormModal>
      )}
      {wanted !== null && wanted !== 'codes' && 'removal' in wanted && (
        <FormModal
          title={t('removeTitle', { name: wanted.removal.name })}
          isOpen
          onClose={forget}
          submit={t('remove')}
          onSubmit={() => {
            remove.mutate(wanted.removal.id);
          }}
          isPending={remove.isPending}
          error={isGivenUp(remove.error) ? null : remove.error}
          isDangerous
        >
          <Text size="sm">
            {t(count > 1 ? 'removeText' : isOperator ? 'removeLastOfOperator' : 'removeLast')}
          </Text>
        </FormModal>
      )}
      {codes.length > 0 && (
        <RecoveryCodes
          codes={codes}
          onClose={() => {
            setCodes([]);
          }}
        />
      )}
      {dialog}
    </Card>
  );
}
