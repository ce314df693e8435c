import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../../parts/form-modal.js';
import { isCancelled, isKnownDevice, makePasskey } from '../../../parts/passkeys.js';
import { isCode } from '../../../parts/queries.js';
import { personal } from '../../../tenant/tenant.js';
import type { AddFactorProps } from './add-factor.js';
import { isGivenUp } from './recent-proof.js';
import { useFactorsText } from './text.js';

/** Adds a passkey: a name, and then the browser asks for the device. */
export function AddPasskey({ isFirst, withProof, onAdded, onClose }: AddFactorProps): ReactNode {
  const t = useFactorsText();
  const [name, setName] = useState('');
  const { factors } = personal.auth;
  const add = useMutation({
    mutationFn: async () => {
      const options = await withProof(() => factors.passkeyOptions());
      return await factors.finishPasskey(name.trim(), await makePasskey(options));
    },
    onSuccess: ({ recovery_codes: codes = [] }) => {
      onAdded(codes);
    },
  });
  const { error } = add;
  const isTaken = isKnownDevice(error) || isCode(error, 'passkey_taken');
  const isSilent = isGivenUp(error) || isCancelled(error) || isTaken;
  return (
    <FormModal
      title={t('addPasskeyTitle')}
      isOpen
      onClose={onClose}
      submit={t('next')}
      onSubmit={() => {
        add.mutate();
      }}
      isPending={add.isPending}
      error={isSilent ? null : error}
    >
      <Text size="sm">{t('passkeyText')}</Text>
      <TextInput
        label={t('name')}
        description={isFirst ? t('firstHint') : t('passkeyNameHint')}
        required
        withAsterisk={false}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      {isTaken && (
        <Text role="alert" size="sm" c="var(--bad)">
          {t('passkeyTaken')}
        </Text>
      )}
    </FormModal>
  );
}
