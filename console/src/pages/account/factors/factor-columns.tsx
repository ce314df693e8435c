import { Text } from '@mantine/core';
import type { Factor } from '@service/client';
import type { Column } from '../../../parts/data-table.js';
import { Instant } from '../../../parts/instant.js';
import { useFactorsText } from './text.js';

/** What is known of second factors, on the page of the own account and on that of a user. */
export function useFactorColumns(): readonly Column<Factor>[] {
  const t = useFactorsText();
  return [
    {
      key: 'name',
      title: t('name'),
      cell: ({ name }) => (
        <Text span size="sm" dir="auto">
          {name}
        </Text>
      ),
    },
    { key: 'type', title: t('type'), optional: true, cell: ({ type }) => t(type) },
    {
      key: 'added',
      title: t('added'),
      optional: true,
      cell: ({ created_at }) => <Instant at={created_at} />,
    },
    {
      key: 'used',
      title: t('used'),
      cell: ({ last_used_at }) => (last_used_at === null ? t('never') : <Instant at={last_used_at} />),
    },
  ];
}
