import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import type { Job } from '@service/client';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { messageOf } from '../../parts/queries.js';
import { usePartsText } from '../../parts/text.js';
import { useTenant } from '../../tenant/tenant.js';
import { objectOf } from '../runs/run-filter.js';
import { useJobText } from './text.js';
import { useJobActions } from './use-job.js';

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
  const [time, setTime] = useState('');
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
            trigger.mutate(
              { payload, runAt: time === '' ? undefined : new Date(time) },
              { onSuccess: ({ id }) => void navigate(`${path}/runs/${id}`) },
            );
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
          <TextInput
            type="datetime-local"
            label={t('runAt')}
            description={t('runAtHint')}
            value={time}
            onChange={(event) => {
              setTime(event.currentTarget.value);
            }}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {parts('cancel')}
            </Button>
            <Button type="submit" disabled={payload === null} loading={trigger.isPending}>
              {time === '' ? t('run') : t('runLater')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
