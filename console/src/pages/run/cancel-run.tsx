import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import { useRunText } from './text.js';
import type { useRunActions } from './use-run.js';

/** The run alone, or also those that it started. */
export type CancelScope = 'run' | 'children';

interface CancelRunProps {
  /** What is asked about; null for nothing. */
  readonly scope: CancelScope | null;
  readonly cancel: ReturnType<typeof useRunActions>['cancel'];
  readonly onClose: () => void;
}

/** Asks before a run is cancelled, which cannot be undone. */
export function CancelRun({ scope, cancel, onClose }: CancelRunProps): ReactNode {
  const t = useRunText();
  const withChildren = scope === 'children';
  return (
    <FormModal
      title={t(withChildren ? 'cancelAllTitle' : 'cancelTitle')}
      isOpen={scope !== null}
      onClose={() => {
        cancel.reset();
        onClose();
      }}
      dismiss={t('keep')}
      submit={t(withChildren ? 'cancelAll' : 'cancel')}
      onSubmit={() => {
        cancel.mutate(withChildren, { onSuccess: onClose });
      }}
      isPending={cancel.isPending}
      error={cancel.error}
      isDangerous
    >
      <Text size="sm">{t(withChildren ? 'cancelAllText' : 'cancelText')}</Text>
    </FormModal>
  );
}
