import { Text, TextInput } from '@mantine/core';
import type { OrganizationClient } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import { useUserText } from './text.js';

interface HandOverProps {
  readonly admin: OrganizationClient['admin'];
  readonly organization: { readonly slug: string; readonly name: string };
  /** Of the present owner. */
  readonly email: string;
  /** Gets the address of the new owner. */
  readonly onDone: (owner: string) => void;
  readonly onClose: () => void;
}

/** Makes another user the owner of an organization. */
export function HandOver({
  admin,
  organization: { slug, name },
  email,
  onDone,
  onClose,
}: HandOverProps): ReactNode {
  const t = useUserText();
  const [address, setAddress] = useState('');
  const handOver = useMutation({
    mutationFn: async () => {
      const wanted = address.trim().toLowerCase();
      const { items } = await admin.users.list({ email: wanted }).page();
      const owner = items.find((user) => user.email.toLowerCase() === wanted);
      if (owner === undefined) throw new Error(t('unknown'));
      await admin.orgs.members.set(slug, owner.id, { role: 'owner' });
      return owner.email;
    },
    onSuccess: onDone,
  });
  return (
    <FormModal
      title={t('handOverTitle', { name })}
      isOpen
      onClose={onClose}
      submit={t('handOver')}
      onSubmit={() => {
        handOver.mutate();
      }}
      isPending={handOver.isPending}
      error={handOver.error}
    >
      <Text size="sm">{t('handOverEffect', { email })}</Text>
      <TextInput
        type="email"
        label={t('newOwner')}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
        value={address}
        onChange={(event) => {
          setAddress(event.currentTarget.value);
        }}
      />
    </FormModal>
  );
}
