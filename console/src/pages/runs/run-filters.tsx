import { CloseButton, Group, Select, TextInput } from '@mantine/core';
import type { RunStatus } from '@service/client';
import { useDebouncedCallback } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { Filters } from '../../parts/filters.js';
import { useStatusNames } from '../../parts/run-status.js';
import { usePartsText } from '../../parts/text.js';
import { useRunsText } from './text.js';

export const FILTERS = ['status', 'job', 'trigger', 'since'] as const;
export type RunFilters = Filters<(typeof FILTERS)[number]>;

const STATUSES: readonly RunStatus[] = ['queued', 'running', 'retrying', 'completed', 'failed', 'cancelled'];
const TRIGGERS = ['manual', 'cron', 'webhook', 'data'] as const;
/** In the address as a length of time, so that a kept link goes with the clock. */
export const SPANS_MS = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const;

const TYPING_MS = 250;

export function RunFilterBar({ filters }: { filters: RunFilters }): ReactNode {
  const t = useRunsText();
  const parts = usePartsText();
  const names = useStatusNames();
  const { values, set } = filters;
  const setJob = useDebouncedCallback((job: string) => {
    set({ job });
  }, TYPING_MS);
  const choice = (
    name: 'status' | 'trigger' | 'since',
    data: { value: string; label: string }[],
  ): ReactNode => (
    <Select
      aria-label={t(name)}
      placeholder={t(name)}
      data={data}
      value={values[name] === '' ? null : values[name]}
      onChange={(value) => {
        set({ [name]: value });
      }}
      clearable
      clearButtonProps={{ 'aria-label': parts('clear') }}
      w={{ base: '100%', xs: 160 }}
    />
  );
  return (
    <Group gap="xs" role="search">
      <TextInput
        key={values.job === '' ? 'none' : 'some'}
        aria-label={t('job')}
        placeholder={t('job')}
        defaultValue={values.job}
        onChange={(event) => {
          setJob(event.currentTarget.value.trim());
        }}
        w={{ base: '100%', xs: 190 }}
      />
      {choice(
        'status',
        STATUSES.map((value) => ({ value, label: names[value] })),
      )}
      {choice(
        'trigger',
        TRIGGERS.map((value) => ({ value, label: t(value) })),
      )}
      {choice('since', [
        { value: '1h', label: t('lastHour') },
        { value: '24h', label: t('lastDay') },
        { value: '7d', label: t('lastWeek') },
      ])}
      {filters.isAny && (
        <CloseButton aria-label={parts('clear')} title={parts('clear')} onClick={filters.clear} />
      )}
    </Group>
  );
}
