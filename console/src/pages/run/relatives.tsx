import { Anchor, Group } from '@mantine/core';
import type { Run } from '@service/client';
import { Activity } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DataTable } from '../../parts/data-table.js';
import { Identifier } from '../../parts/identifier.js';
import { Card } from '../../parts/page.js';
import { RunStatusBadge } from '../../parts/run-status.js';
import { Empty } from '../../parts/states.js';
import { useTenant } from '../../tenant/tenant.js';
import { useRunColumns } from '../runs/run-columns.js';
import { useRunText } from './text.js';
import { useChildren, useRun } from './use-run.js';

/** A link to the run whose handler triggered one, with its status unless it is deleted. */
export function ParentRun({ id }: { id: string }): ReactNode {
  const t = useRunText();
  const { path } = useTenant();
  const { data } = useRun(id);
  return (
    <Group gap="xs" wrap="wrap">
      <Identifier value={id} what={t('startedBy')} to={`${path}/runs/${id}`} short />
      {data !== undefined && <RunStatusBadge status={data.status} />}
    </Group>
  );
}

/** Links to the newest runs that retry one, with their status. */
export function Retries({ runs }: { runs: readonly Run[] }): ReactNode {
  const t = useRunText();
  const { path } = useTenant();
  return runs.map(({ id, status }) => (
    <Group key={id} gap="xs" wrap="wrap">
      <Identifier value={id} what={t('repeatedAs')} to={`${path}/runs/${id}`} short />
      <RunStatusBadge status={status} />
    </Group>
  ));
}

/** The newest runs that a run's handler triggered; nothing where there are none. */
export function Children({ runId }: { runId: string }): ReactNode {
  const t = useRunText();
  const { path } = useTenant();
  const columns = useRunColumns();
  const { data, error, refetch } = useChildren(runId);
  if (error === null && (data === undefined || data.items.length === 0)) return null;
  return (
    <Card
      flush
      title={t('children')}
      action={
        <Anchor component={Link} to={`${path}/runs?parent=${encodeURIComponent(runId)}`} size="sm">
          {t('allChildren')}
        </Anchor>
      }
    >
      <DataTable
        label={t('children')}
        columns={columns}
        rows={data?.items}
        keyOf={({ id }) => id}
        opensRows
        error={error}
        onRetry={() => void refetch()}
        empty={<Empty icon={Activity} title={t('children')} />}
        expected={3}
      />
    </Card>
  );
}
