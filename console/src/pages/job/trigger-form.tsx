import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { objectOf } from '../../parts/exact-json.js';
import { FormModal } from '../../parts/form-modal.js';
import { PayloadInput } from '../../parts/payload-input.js';
import { problemAt } from '../../parts/problems.js';
import { useTenant } from '../../tenant/tenant.js';
import { useJobText } from './text.js';
import { useJobActions } from './use-job.js';

interface TriggerFormProps {
  readonly jobId: string;
  readonly onClose: () => void;
}

/** The payload of the newest run of a job; null without one. Asked for once, because it is then edited. */
function useLastPayload(jobId: string) {
  const tenant = useTenant();
  return useQuery({
    queryKey: ['last-payload', tenant.slug, jobId],
    queryFn: async ({ signal }) => {
      const [last] = (await tenant.client.runs.list({ jobId, limit: 1, signal }).page()).items;
      return last === undefined ? null : (await tenant.client.runs.get(last.id, { signal })).payload;
    },
    enabled: tenant.may('jobs:runs:read'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Asks for a payload, and leads to the run. */
export function TriggerForm({ jobId, onClose }: TriggerFormProps): ReactNode {
  const t = useJobText();
  const { path } = useTenant();
  const navigate = useNavigate();
  const { trigger } = useJobActions(jobId);
  const { data: last } = useLastPayload(jobId);
  const [typed, setTyped] = useState<string | null>(null);
  const [time, setTime] = useState('');
  const text = typed ?? JSON.stringify(last ?? {}, null, 2);
  const payload = objectOf(text);
  return (
    <FormModal
      title={t('triggerTitle', { job: jobId })}
      isOpen
      onClose={onClose}
      submit={time === '' ? t('run') : t('runLater')}
      isDisabled={payload === null}
      isPending={trigger.isPending}
      error={trigger.error}
      fields={['payload', 'run_at']}
      onSubmit={() => {
        if (payload !== null)
          trigger.mutate(
            { payload, runAt: time === '' ? undefined : new Date(time) },
            {
              onSuccess: ({ id }) => {
                onClose();
                void navigate(`${path}/runs/${id}`);
              },
            },
          );
      }}
    >
      <PayloadInput
        label={t('payload')}
        description={last == null ? undefined : t('lastPayload')}
        value={text}
        onChange={setTyped}
        error={payload === null ? t('notJson') : problemAt(trigger.error, 'payload')}
      />
      <TextInput
        type="datetime-local"
        label={t('runAt')}
        description={t('runAtHint')}
        value={time}
        error={problemAt(trigger.error, 'run_at')}
        onChange={(event) => {
          setTime(event.currentTarget.value);
        }}
      />
    </FormModal>
  );
}
