import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import type { Job } from '@service/client';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { messageOf } from '../../parts/queries.js';
import { usePartsText } from '../../parts/text.js';
import { useTenant } from '../../tenant/tenant.js';
import { useJobText } from './text.js';
import { useJobActions } from './use-job.js';

function objectOf(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

interface TriggerFormProps {
  readonly job: Job;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks for a payload, and leads to the run. */
export function TriggerForm({ job, isOpen, onClose }: TriggerFormProps): ReactNode {
  const t = useJobText();
  const parts = usePartsText();
  const { path } = useTenant();
  const navigate = useNavigate();
  const { trigger } = useJobActions(job.id);
  const [text, setText] = useState('{}');
  const payload = objectOf(text);
  const problem = payload === null ? t('notJson') : trigger.error === null ? null : messageOf(trigger.error);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('triggerTitle', { job: job.id })}
      closeButtonProps={{ 'aria-label': parts('close') }}
      centered
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (payload !== null)
            trigger.mutate(payload, { onSuccess: ({ id }) => void navigate(`${path}/runs/${id}`) });
        }}
      >
        <Stack>
          <Textarea
            label={t('payload')}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
            }}
            error={problem}
            autosize
            minRows={6}
            maxRows={18}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
            data-autofocus
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {parts('cancel')}
            </Button>
            <Button type="submit" disabled={payload === null} loading={trigger.isPending}>
              {t('run')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
