import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isAccountId } from '../../parts/account-id.js';
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
  const form = useForm({ initialValues: { user: '', role: 'member' } });
  /** Anyone may sign up with any address, and would become a member in place of whom it belongs to. */
  const provenId = async (email: string): Promise<string> => {
    const { items } = await admin.users.list({ email }).page();
    const user = items.find((candidate) => candidate.email.toLowerCase() === email);
    if (user === undefined) throw new Error(t('unknown'));
    if (!user.email_verified) throw new Error(t('unproven'));
    return user.id;
  };
  const set = useMutation({
    mutationFn: async ({ user, role }: { user: string; role: string }) => {
      const wanted = user.trim();
      const id = isAccountId(wanted) ? wanted : await provenId(wanted.toLowerCase());
      await admin.orgs.members.set(org, id, { role });
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
      <TextInput label={t('address')} data-autofocus {...required} {...form.getInputProps('user')} />
      <TextInput
        label={t('role')}
        description={t('roleHint')}
        {...required}
        {...form.getInputProps('role')}
      />
    </FormModal>
  );
}
