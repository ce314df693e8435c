import { PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import { problemAt } from '../../parts/problems.js';
import { isCode, messageOf } from '../../parts/queries.js';
import { personal } from '../../tenant/tenant.js';
import { useAccountText } from './text.js';

interface ChangePasswordProps {
  readonly email: string;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Asks for the current password and for the one that replaces it. */
export function ChangePassword({ email, onChanged, onClose }: ChangePasswordProps): ReactNode {
  const t = useAccountText();
  const form = useForm({ initialValues: { current: '', wanted: '' } });
  const change = useMutation({
    mutationFn: ({ current, wanted }: typeof form.values) =>
      personal.auth.update({ password: wanted, current_password: current }),
    onSuccess: onChanged,
  });
  const isCurrentWrong = isCode(change.error, 'wrong_password');
  return (
    <FormModal
      title={t('changePassword')}
      isOpen
      onClose={onClose}
      submit={t('changePasswordSubmit')}
      onSubmit={() => {
        change.mutate(form.values);
      }}
      isPending={change.isPending}
      error={isCurrentWrong ? null : change.error}
      fields={['password']}
    >
      <Text size="sm">{t('changePasswordText')}</Text>
      {/* Tells password managers which account it is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label={t('currentPassword')}
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus
        {...form.getInputProps('current')}
        error={isCurrentWrong ? messageOf(change.error) : undefined}
      />
      <PasswordInput
        label={t('newPassword')}
        autoComplete="new-password"
        required
        withAsterisk={false}
        {...form.getInputProps('wanted')}
        error={problemAt(change.error, 'password')}
      />
    </FormModal>
  );
}
