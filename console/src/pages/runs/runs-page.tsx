import { Button, Center } from '@mantine/core';
import { Activity, CircleStop, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { DataTable } from '../../parts/data-table.js';
import { useFilters } from '../../parts/filters.js';
import { Card, Page } from '../../parts/page.js';
import { Empty, NothingFound } from '../../parts/states.js';
import { useLiveRuns } from '../../tenant/live-runs.js';
import { useTenant } from '../../tenant/tenant.js';
import { BulkAction } from './bulk-action.js';
import { useRunColumns } from './run-columns.js';
import { mayConcern } from './bulk-act.js';
import type { BulkAct } from './bulk-act.js';
import { FILTERS, filterOf } from './run-filter.js';
import { RunFilterBar } from './run-filters.js';
import { useRunsText } from './text.js';
import { useRuns } from './use-runs.js';

export default function RunsPage(): ReactNode {
  const t = useRunsText();
  const filters = useFilters(FILTERS);
  const columns = useRunColumns();
  const { runs, error, hasMore, isLoadingMore, loadMore, retry } = useRuns(filters.values);
  const { may } = useTenant();
  const [opened, setOpened] = useState<BulkAct | null>(null);
  // What is done must be what is shown.
  const [isTyping, setIsTyping] = useState(false);
  useLiveRuns();
  const filter = filterOf(filters.values);
  const actions = (['retry', 'cancel'] as const).filter(
    (act) =>
      may(act === 'retry' ? 'jobs:jobs:trigger' : 'jobs:runs:cancel') &&
      mayConcern(act, filters.values.status),
  );
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={actions.map((act) => (
        <Button
          key={act}
          variant="default"
          disabled={filter === null || isTyping || runs?.length === 0}
          leftSection={act === 'retry' ? <RotateCcw size={15} /> : <CircleStop size={15} />}
          onClick={() => {
            setOpened(act);
          }}
        >
          {t(act === 'retry' ? 'retryAll' : 'cancelAll')}
        </Button>
      ))}
    >
      <RunFilterBar filters={filters} onUnused={setIsTyping} />
      <Card flush>
        <DataTable
          label={t('title')}
          columns={columns}
          rows={runs}
          keyOf={({ id }) => id}
          opensRows
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
      {opened !== null && filter !== null && (
        <BulkAction
          act={opened}
          filter={filter}
          shown={runs ?? []}
          onClose={() => {
            setOpened(null);
          }}
        />
      )}
    </Page>
  );
}
