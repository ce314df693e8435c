import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { MultiSelect } from '@mantine/core';
import type { RunStatus } from '@service/client';
import type { ReactNode } from 'react';
import { useStatusNames } from '../../parts/run-status.js';
import { usePartsText } from '../../parts/text.js';
import { STATUSES } from './run-filter.js';
import { useRunsText } from './text.js';

interface StatusFilterProps {
  /** Statuses with commas between them; empty for all. */
  readonly value: string;
  /** Told what to make of the statuses that are chosen by then, of which `value` may lag behind. */
  readonly onChange: (change: (statuses: string) => string) => void;
}

function listOf(statuses: string): string[] {
  return statuses === '' ? [] : statuses.split(',');
}

/** Runs in any of the statuses that are chosen. */
export function StatusFilter({ value, onChange }: StatusFilterProps): ReactNode {
  const t = useRunsText();
  const parts = usePartsText();
  const names = useStatusNames();
  const chosen = listOf(value);
  const nameOf = (status: string): string => (status in names ? names[status as RunStatus] : status);
  return (
    <MultiSelect
      aria-label={t('status')}
      placeholder={chosen.length === 0 ? t('status') : undefined}
      // A status of the address that there is not can be taken away, too.
      data={[...new Set([...STATUSES, ...chosen])].map((status) => ({
        value: status,
        label: nameOf(status),
      }))}
      value={chosen}
      onChange={(statuses) => {
        const added = statuses.filter((status) => !chosen.includes(status));
        const removed = chosen.filter((status) => !statuses.includes(status));
        onChange((known) => {
          const others = listOf(known).filter(
            (status) => !added.includes(status) && !removed.includes(status),
          );
          return [...others, ...added].join(',');
        });
      }}
      clearable
      clearButtonProps={{ 'aria-label': parts('clear') }}
      w={{ base: '100%', xs: 260 }}
    />
  );
}
