import '@mantine/core/styles/Checkbox.layer.css';
import { Checkbox, Group } from '@mantine/core';
import type { Setting } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useOperator } from '../../operator/operator.js';
import { DataTable } from '../../parts/data-table.js';
import { useFilters } from '../../parts/filters.js';
import { FindFilter } from '../../parts/find-filter.js';
import { Card, Page } from '../../parts/page.js';
import { Empty, NothingFound } from '../../parts/states.js';
import { isChanged, useSettingColumns } from './setting-columns.js';
import { useSettingsText } from './text.js';

function sectionOf({ name }: Setting): string {
  return name.slice(0, name.lastIndexOf('.'));
}

function found(setting: Setting, find: string): boolean {
  const text = `${setting.name} ${setting.variable} ${setting.description}`.toLowerCase();
  return find
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The settings in force, by the sections of the configuration file. */
export default function SettingsPage(): ReactNode {
  const t = useSettingsText();
  const { client } = useOperator();
  const filters = useFilters(['find', 'changed']);
  const { find, changed } = filters.values;
  const columns = useSettingColumns();
  const { data, error, refetch } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => client.settings.list({ signal }),
  });
  const shown = data?.filter((setting) => (changed === '' || isChanged(setting)) && found(setting, find));
  const sections = [...new Set(shown?.map(sectionOf))];
  const table = (label: string, rows: Setting[] | undefined): ReactNode => (
    <DataTable
      label={label}
      columns={columns}
      rows={rows}
      keyOf={({ name }) => name}
      error={error}
      onRetry={() => void refetch()}
      empty={filters.isAny ? <NothingFound onClear={filters.clear} /> : <Empty title={t('emptyTitle')} />}
    />
  );
  return (
    <Page title={t('title')} about={t('about')}>
      <Group gap="md" role="search">
        <FindFilter label={t('find')} filters={filters} />
        <Checkbox
          label={t('changedOnly')}
          checked={changed !== ''}
          onChange={(event) => {
            filters.set({ changed: event.currentTarget.checked ? 'true' : null });
          }}
        />
        {data !== undefined && (
          <span role="status">{t('count', { count: data.filter(isChanged).length })}</span>
        )}
      </Group>
      {sections.length === 0 ? (
        <Card flush>{table(t('title'), shown)}</Card>
      ) : (
        sections.map((section) => (
          <Card key={section} flush title={<code>{section}</code>}>
            {table(
              section,
              shown?.filter((setting) => sectionOf(setting) === section),
            )}
          </Card>
        ))
      )}
    </Page>
  );
}
