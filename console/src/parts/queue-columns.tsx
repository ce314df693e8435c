import type { ReactNode } from 'react';
import type { Column } from './data-table.js';
import { useFormats } from './format.js';
import { usePartsText } from './text.js';

/** What the queue has of a tenant or a job. */
export interface Queued {
  readonly waiting: number;
  readonly delayed: number;
  readonly at_work: number;
  readonly oldest_wait_ms: number | null;
}

/** The figures of a queue, after the column that names what they are of. */
export function useQueueColumns<Row extends Queued>(): Column<Row>[] {
  const t = usePartsText();
  const formats = useFormats();
  const number = (value: number): ReactNode => <span className="numbers">{formats.number(value)}</span>;
  return [
    { key: 'waiting', title: t('waiting'), align: 'end', cell: ({ waiting }) => number(waiting) },
    {
      key: 'oldest',
      title: t('oldestWait'),
      align: 'end',
      cell: ({ oldest_wait_ms }) => (
        <span className="numbers">{oldest_wait_ms === null ? '–' : formats.duration(oldest_wait_ms)}</span>
      ),
    },
    {
      key: 'delayed',
      title: t('delayed'),
      align: 'end',
      optional: true,
      cell: ({ delayed }) => number(delayed),
    },
    { key: 'work', title: t('atWork'), align: 'end', cell: ({ at_work }) => number(at_work) },
  ];
}
