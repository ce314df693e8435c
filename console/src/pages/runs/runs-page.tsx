import { Button, Center } from '@mantine/core';
import { Activity } from 'lucide-react';
import type { ReactNode } from 'react';
import { DataTable } from '../../parts/data-table.js';
import { useFilters } from '../../parts/filters.js';
import { Card, Page } from '../../parts/page.js';
import { Empty, NothingFound } from '../../parts/states.js';
import { useLiveRuns } from '../../tenant/live-runs.js';
import { useRunColumns } from './run-columns.js';
import { FILTERS, RunFilterBar } from './run-filters.js';
import { useRunsText } from './text.js';
import { useRuns } from './use-runs.js';

export default function RunsPage(): ReactNode {
  const t = useRunsText();
  const filters = useFilters(FILTERS);
  const columns = useRunColumns();
  const { runs, error, hasMore, isLoadingMore, loadMore, retry } = useRuns(filters.values);
  useLiveRuns();
  return (
    <Page title={t('title')} about={t('about')}>
      <RunFilterBar filters={filters} />
      <Card flush>
        <DataTable
          label={t('title')}
          columns={columns}
          rows={runs}
          keyOf={({ id }) => id}
          error={error}
          onRetry={retry}
          empty={
            filters.isAny ? (
              <NothingFound onClear={filters.clear} />
            ) : (
              <Empty icon={Activity} title={t('emptyTitle')}>
                {t('emptyText')}
              </Empty>
            )
          }
        />
      </Card>
      {hasMore && (
        <Center>
          <Button variant="default" loading={isLoadingMore} onClick={loadMore}>
            {t('more')}
          </Button>
        </Center>
      )}
    </Page>
  );
}
