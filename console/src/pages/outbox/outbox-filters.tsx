import { CloseButton, Group, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { HALF } from '../../parts/filters.js';
import type { Filters } from '../../parts/filters.js';
import { usePartsText } from '../../parts/text.js';
import { TypedFilter } from '../../parts/typed-filter.js';
import { useOutboxText } from './text.js';

export const FILTERS = ['to', 'state', 'since'] as const;
export const STATES = ['waiting', 'sent', 'failed'] as const;
/** In the address as a length of time, so that a kept link goes with the clock. */
export const SPANS_MS = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const;

export function OutboxFilters({ filters }: { filters: Filters<(typeof FILTERS)[number]> }): ReactNode {
  const t = useOutboxText();
  const parts = usePartsText();
  const { values, set, isAny, clear } = filters;
  const choice = (name: 'state' | 'since', label: string, data: { value: string; label: string }[]) => (
    <Select
      aria-label={label}
      placeholder={label}
      data={data}
      value={values[name] === '' ? null : values[name]}
      onChange={(value) => {
        set({ [name]: value });
      }}
      clearable
      clearButtonProps={{ 'aria-label': parts('clear') }}
      w={{ base: HALF, xs: 170 }}
    />
  );
  return (
    <Group gap="xs" role="search">
      <TypedFilter
        label={t('find')}
        value={values.to}
        onChange={(to) => {
          set({ to });
        }}
        width={260}
      />
      {choice(
        'state',
        t('anyState'),
        STATES.map((value) => ({ value, label: t(value) })),
      )}
      {choice('since', t('since'), [
        { value: '1h', label: t('lastHour') },
        { value: '24h', label: t('lastDay') },
        { value: '7d', label: t('lastWeek') },
      ])}
      {isAny && <CloseButton aria-label={parts('clear')} title={parts('clear')} onClick={clear} />}
    </Group>
  );
}
