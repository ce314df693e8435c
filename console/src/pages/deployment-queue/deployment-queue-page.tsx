import type { Instance, TenantQueue } from '@service/client';
import { CircleCheck, Server } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useOperator } from '../../operator/operator.js';
import { useWork } from '../../operator/use-work.js';
import { DataTable } from '../../parts/data-table.js';
import type { Column } from '../../parts/data-table.js';
import { Figure, Figures } from '../../parts/figure.js';
import { useFormats } from '../../parts/format.js';
import { CopyAction } from '../../parts/identifier.js';
import { Instant } from '../../parts/instant.js';
import { Card, Page } from '../../parts/page.js';
import { useQueueColumns } from '../../parts/queue-columns.js';
import { Empty } from '../../parts/states.js';
import { useDeploymentQueueText } from './text.js';

function QueueFigures({
  tenants,
  instances,
}: {
  tenants: TenantQueue[] | undefined;
  instances: Instance[] | undefined;
}): ReactNode {
  const t = useDeploymentQueueText();
  const formats = useFormats();
  const total = (of: (tenant: TenantQueue) => number): string | undefined =>
    tenants && formats.number(tenants.reduce((sum, tenant) => sum + of(tenant), 0));
  const oldest = tenants && Math.max(0, ...tenants.map(({ oldest_wait_ms }) => oldest_wait_ms ?? 0));
  const workers = instances?.filter(({ roles }) => roles.includes('worker'));
  return (
    <Figures>
      <Figure name={t('waiting')} value={total(({ waiting }) => waiting)} />
      <Figure
        name={t('oldest')}
        value={oldest === undefined ? undefined : oldest === 0 ? '–' : formats.duration(oldest)}
      />
      <Figure name={t('atWork')} value={total(({ at_work }) => at_work)} />
      <Figure name={t('workers')} value={workers && formats.number(workers.length)} />
    </Figures>
  );
}

function useTenantColumns(): Column<TenantQueue>[] {
  const t = useDeploymentQueueText();
  const { profile, path } = useOperator();
  const formats = useFormats();
  const figures = useQueueColumns<TenantQueue>();
  return [
    {
      key: 'tenant',
      title: t(profile),
      cell: ({ tenant: { id, name, slug, ref } }) => (
        <span>
          {name == null ? (
            t('deleted')
          ) : (
            <Link to={`${path}/${profile}s/${slug ?? ref ?? id}`}>
              <bdi>{name}</bdi>
            </Link>
          )}{' '}
          <code style={{ color: 'var(--quiet)' }}>{slug ?? ref ?? id.slice(0, 8)}</code>
        </span>
      ),
    },
    ...figures,
    {
      key: 'hour',
      title: t('lastHour'),
      align: 'end',
      optional: 'phone',
      cell: ({ waiting, last_hour: { accepted, ended } }) => {
        const isGrowing = accepted > ended;
        const difference = `${isGrowing ? '+' : ''}${formats.number(accepted - ended)}`;
        return (
          <span className="numbers" style={isGrowing && waiting > 0 ? { color: 'var(--bad)' } : undefined}>
            {t('throughput', {
              difference,
              accepted: formats.number(accepted),
              ended: formats.number(ended),
            })}
          </span>
        );
      },
    },
  ];
}

function useInstanceColumns(): Column<Instance>[] {
  const t = useDeploymentQueueText();
  const formats = useFormats();
  return [
    {
      key: 'id',
      title: t('instance'),
      cell: ({ id }) => (
        <span style={{ whiteSpace: 'nowrap' }}>
          <code>{id.slice(0, 8)}</code>
          <CopyAction value={id} what={t('instance')} />
        </span>
      ),
    },
    { key: 'roles', title: t('roles'), cell: ({ roles }) => roles.join(', ') },
    {
      key: 'work',
      title: t('atWork'),
      align: 'end',
      cell: ({ at_work }) => <span className="numbers">{formats.number(at_work)}</span>,
    },
    { key: 'version', title: t('version'), optional: true, cell: ({ version }) => version },
    {
      key: 'started',
      title: t('started'),
      optional: true,
      cell: ({ started_at }) => <Instant at={started_at} />,
    },
    { key: 'seen', title: t('seen'), cell: ({ seen_at }) => <Instant at={seen_at} relative /> },
  ];
}

/** What waits and what is at work in the whole deployment, and the processes that do it. */
export default function DeploymentQueuePage(): ReactNode {
  const t = useDeploymentQueueText();
  const { tenants, instances } = useWork();
  return (
    <Page title={t('title')} about={t('about')}>
      <QueueFigures tenants={tenants.data} instances={instances.data} />
      <Card flush title={t('tenants')}>
        <DataTable
          label={t('tenants')}
          columns={useTenantColumns()}
          rows={tenants.data}
          keyOf={({ tenant }) => tenant.id}
          opensRows
          error={tenants.error}
          onRetry={() => void tenants.refetch()}
          empty={
            <Empty icon={CircleCheck} title={t('nothing')}>
              {t('nothingText')}
            </Empty>
          }
        />
      </Card>
      <Card flush title={t('instances')}>
        <DataTable
          label={t('instances')}
          columns={useInstanceColumns()}
          rows={instances.data}
          keyOf={({ id }) => id}
          error={instances.error}
          onRetry={() => void instances.refetch()}
          empty={<Empty icon={Server} title={t('noInstances')} />}
          expected={2}
        />
      </Card>
    </Page>
  );
}
