import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFilters } from './filters.js';
import { usePartsText } from './text.js';

const HOUR_MS = 3_600_000;
/** How far back charts look. */
const RANGES_MS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS } as const;
export type Range = keyof typeof RANGES_MS;

function isRange(value: string): value is Range {
  return value in RANGES_MS;
}

/** The range in the address. */
export function useRange(): [Range, (range: string) => void] {
  const { values, set } = useFilters(['range']);
  return [
    isRange(values.range) ? values.range : 'day',
    (range) => {
      set({ range });
    },
  ];
}

export function beginningOf(range: Range): Date {
  return new Date(Date.now() - RANGES_MS[range]);
}

interface RangeChoiceProps {
  readonly range: Range;
  readonly onChange: (range: string) => void;
}

export function RangeChoice({ range, onChange }: RangeChoiceProps): ReactNode {
  const t = usePartsText();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('range')}
      value={range}
      onChange={onChange}
      data={Object.keys(RANGES_MS).map((value) => ({ value, label: t(value as Range) }))}
    />
  );
}
