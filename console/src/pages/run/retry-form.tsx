import type { RunDetails } from '@service/client';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { exactJson } from '../../parts/exact-json.js';
import { FormModal } from '../../parts/form-modal.js';
import { PayloadInput } from '../../parts/payload-input.js';
import { problemAt } from '../../parts/problems.js';
import { useRunText } from './text.js';
import { useRunActions } from './use-run.js';

interface RetryFormProps {
  readonly run: RunDetails;
  readonly onRetried: (id: string) => void;
  readonly onClose: () => void;
}

/** Asks for the payload of a retry, beginning with that of the run. */
export function RetryForm({ run, onRetried, onClose }: RetryFormProps): ReactNode {
  const t = useRunText();
  const { retry } = useRunActions(run.id);
  const [text, setText] = useState(() => JSON.stringify(run.payload, null, 2));
  const payload = exactJson(text);
  return (
    <FormModal
      title={t('retryTitle')}
      isOpen
      onClose={onClose}
      submit={t('retry')}
      isDisabled={payload === undefined}
      isPending={retry.isPending}
      error={retry.error}
      fields={['payload']}
      onSubmit={() => {
        if (payload === undefined) return;
        retry.mutate(payload, {
          onSuccess: ({ id }) => {
            onClose();
            onRetried(id);
          },
        });
      }}
    >
      <PayloadInput
        label={t('payloadAsJson')}
        value={text}
        onChange={setText}
        error={payload === undefined ? t('notJson') : problemAt(retry.error, 'payload')}
      />
    </FormModal>
  );
}
