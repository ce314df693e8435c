import { Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import { personal } from '../../tenant/tenant.js';
import { isGivenUp, useRecentProof } from './factors/recent-proof.js';
import { useAccountText } from './text.js';

/** Asks for the new address, and says that a mail is on its way there. */
export function ChangeAddress({ onClose }: { onClose: () => void }): ReactNode {
  const t = useAccountText();
  const [email, setEmail] = useState('');
  const factors = useQuery({
    queryKey: ['account', 'factors'],
    queryFn: ({ signal }) => personal.auth.factors.list({ signal }),
  });
  const { dialog, withProof } = useRecentProof(factors.data ?? []);
  const change = useMutation({
    mutationFn: () => withProof(() => personal.auth.changeEmail(email.trim())),
  });
  return (
    <>
      <FormModal
        title={t('changeAddress')}
        isOpen
        onClose={onClose}
        submit={t(change.isSuccess ? 'done' : 'sendLink')}
        onSubmit={() => {
          if (change.isSuccess) onClose();
          else change.mutate();
        }}
        isPending={change.isPending}
        error={isGivenUp(change.error) ? null : change.error}
      >
        {change.isSuccess ? (
          <Text size="sm" role="status">
            {t('linkSent', { email: email.trim() })}
          </Text>
        ) : (
          <TextInput
            type="email"
            label={t('newAddress')}
            description={t('newAddressHint')}
            required
            withAsterisk={false}
            autoComplete="email"
            data-autofocus
            value={email}
            onChange={({ currentTarget }) => {
              setEmail(currentTarget.value);
            }}
          />
        )}
      </FormModal>
      {dialog}
    </>
  );
}
