import { PasswordInput, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { FormModal } from '../../parts/form-modal.js';
import { useAccounts } from './accounts.js';
import type { Account, Accounts, MailKind } from './accounts.js';
import { useUsersText } from './text.js';

interface Values {
  email: string;
  password: string;
  mail: MailKind | null;
}

async function create(accounts: Accounts, { email, password, mail }: Values): Promise<Account> {
  const account = { email, ...(password === '' ? {} : { password }) };
  const { organizations, project } = accounts;
  if (project !== null)
    return await project.create({
      ...account,
      ...(mail === null ? {} : { mail: mail === 'magic_link' ? mail : 'recovery' }),
    });
  if (organizations === null) throw new Error('users belong to the deployment or to a project');
  return await organizations.users.create({
    ...account,
    ...(mail === null ? {} : { mail: mail === 'verification' ? mail : 'recovery' }),
  });
}

/** Asks for an address, and leads to the new user. */
export function CreateUser({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const t = useUsersText();
  const accounts = useAccounts();
  const navigate = useNavigate();
  const form = useForm<Values>({ initialValues: { email: '', password: '', mail: null } });
  const creation = useMutation({
    mutationFn: (values: Values) => create(accounts, values),
    onSuccess: ({ id }) => navigate(`${accounts.path}/${id}`),
  });
  return (
    <FormModal
      title={t('create')}
      isOpen={isOpen}
      onClose={onClose}
      submit={t('createSubmit')}
      onSubmit={() => {
        creation.mutate(form.values);
      }}
      isPending={creation.isPending}
      error={creation.error}
    >
      <TextInput
        type="email"
        label={t('email')}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label={t('password')}
        description={t('passwordHint')}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <Select
        label={t('mail')}
        placeholder={t('noMail')}
        data={accounts.mails.map((value) => ({ value, label: t(value) }))}
        clearable
        clearButtonProps={{ 'aria-label': t('noMail') }}
        {...form.getInputProps('mail')}
      />
    </FormModal>
  );
}
