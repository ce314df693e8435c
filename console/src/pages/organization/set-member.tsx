import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import { useOrganizationAdmin } from '../organizations/use-organization-admin.js';
import { useOrganizationText } from './text.js';

interface SetMemberProps {
  readonly org: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Gives a user of the deployment a role in an organization. */
export function SetMember({ org, isOpen, onClose }: SetMemberProps): ReactNode {
  const t = useOrganizationText();
  const { admin } = useOrganizationAdmin();
  const form = useForm({ initialValues: { email: '', role: 'member' } });
  const set = useMutation({
    mutationFn: async ({ email, role }: { email: string; role: string }) => {
      const wanted = email.trim().toLowerCase();
      const { items } = await admin.users.list({ email: wanted }).page();
      const user = items.find((candidate) => candidate.email.toLowerCase() === wanted);
      if (user === undefined) throw new Error(t('unknown'));
      await admin.orgs.members.set(org, user.id, { role });
    },
    onSuccess: () => {
      form.reset();
      onClose();
    },
  });
  const required = { required: true, withAsterisk: false, autoComplete: 'off' } as const;
  return (
    <FormModal
      title={t('add')}
      isOpen={isOpen}
      onClose={onClose}
      submit={t('addSubmit')}
      onSubmit={() => {
        set.mutate(form.values);
      }}
      isPending={set.isPending}
      error={set.error}
    >
      <TextInput
        type="email"
        label={t('address')}
        data-autofocus
        {...required}
        {...form.getInputProps('email')}
      />
      <TextInput
        label={t('role')}
        description={t('roleHint')}
        {...required}
        {...form.getInputProps('role')}
      />
    </FormModal>
  );
}
