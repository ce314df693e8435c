import { Textarea } from '@mantine/core';
import type { RunDetails } from '@service/client';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import { MONOSPACE } from '../../parts/monospace.js';
import { exactJson } from '../runs/run-filter.js';
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
      <Textarea
        label={t('payloadAsJson')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
        }}
        error={payload === undefined && t('notJson')}
        autosize
        minRows={6}
        maxRows={18}
        spellCheck={false}
        styles={MONOSPACE}
        data-autofocus
      />
    </FormModal>
  );
}
