import { Button, PasswordInput, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import { session } from '../../session/session.js';
import { personal } from '../../tenant/tenant.js';
import { useAccountText } from './text.js';

function Question({ onClose }: { onClose: () => void }): ReactNode {
  const t = useAccountText();
  const [password, setPassword] = useState('');
  const deletion = useMutation({
    mutationFn: () => personal.auth.delete(password),
    // The service has ended the session; this makes the tabs and the cookie forget it.
    onSuccess: () => session.signOut(),
  });
  return (
    <FormModal
      title={t('deleteTitle')}
      isOpen
      onClose={onClose}
      submit={t('deleteSubmit')}
      onSubmit={() => {
        deletion.mutate();
      }}
      isPending={deletion.isPending}
      error={deletion.error}
      isDangerous
    >
      <Text size="sm">{t('deleteText')}</Text>
      <PasswordInput
        label={t('currentPassword')}
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus
        value={password}
        onChange={({ currentTarget }) => {
          setPassword(currentTarget.value);
        }}
      />
    </FormModal>
  );
}

export function DeleteAccount(): ReactNode {
  const t = useAccountText();
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<Trash2 size={15} />} onClick={open}>
        {t('delete')}
      </Button>
      {isOpen && <Question onClose={close} />}
    </>
  );
}
