import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormModal } from '../parts/form-modal.js';
import { useShellText } from './text.js';

/** Says that the session goes on, and tries to end it once more. */
export default function NotSignedOut({
  signOut,
}: {
  signOut: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'reset' | 'isPending' | 'error'>;
}): ReactNode {
  const t = useShellText();
  return (
    <FormModal
      title={t('notSignedOut')}
      isOpen
      onClose={signOut.reset}
      submit={t('signOut')}
      onSubmit={signOut.mutate}
      isPending={signOut.isPending}
      error={signOut.error}
    >
      {t('notSignedOutText')}
    </FormModal>
  );
}
