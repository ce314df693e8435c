import { Grid, Skeleton } from '@mantine/core';
import type { SignInStatsPoint, TenantQueue } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useOperator } from '../../operator/operator.js';
import { useWork } from '../../operator/use-work.js';
import { Figure, Figures } from '../../parts/figure.js';
import { useFormats } from '../../parts/format.js';
import { Card, Page } from '../../parts/page.js';
import { Failure } from '../../parts/states.js';
import { TimeChart } from '../../parts/time-chart.js';
import type { Series } from '../../parts/time-chart.js';
import { RangeChoice, useRange } from '../../parts/time-range.js';
import { OperatorsCard } from './operators-card.js';
import { useDeploymentOverviewText } from './text.js';
import { useSignIns } from './use-sign-ins.js';

const DAY_MS = 86_400_000;
const MAILS = 100;
const MAILS_REFRESH_MS = 30_000;

function SignInCharts({ points }: { points: readonly SignInStatsPoint[] }): ReactNode {
  const t = useDeploymentOverviewText();
  const formats = useFormats();
  const chart = (label: string, series: readonly Series[]): ReactNode => (
    <Card title={label}>
      <TimeChart
        kind="bars"
        label={label}
        instants={points.map(({ at }) => at)}
        format={(value) => formats.number(value)}
        series={series}
      />
    </Card>
  );
  const of = (figure: 'signed_in' | 'refused' | 'unanswered' | 'signed_up'): number[] =>
    points.map((point) => point[figure]);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        {chart(t('signIns'), [
          { name: t('signedIn'), tone: 'ok', values: of('signed_in') },
          { name: t('refused'), tone: 'bad', values: of('refused') },
          { name: t('unanswered'), tone: 'warn', values: of('unanswered') },
        ])}
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        {chart(t('signUps'), [{ name: t('signedUp'), tone: 'run', values: of('signed_up') }])}
      </Grid.Col>
    </Grid>
  );
}

/** How many mails failed since yesterday, or that there are more than one page of them. */
function useFailedMails(): UseQueryResult<{ count: number; isMore: boolean }> {
  const { client } = useOperator();
  return useQuery({
    queryKey: ['outbox', 'deployment', 'failed'],
    queryFn: async ({ signal }) => {
      const since = new Date(Date.now() - DAY_MS).toISOString();
      const { items, nextCursor } = await client.mail
        .list({ state: 'failed', since, limit: MAILS, signal })
        .page();
      return { count: items.length, isMore: nextCursor !== null };
    },
    refetchInterval: MAILS_REFRESH_MS,
  });
}

/** The deployment at a glance: who signs in and is refused, and what is at work. */
export default function DeploymentOverviewPage(): ReactNode {
  const t = useDeploymentOverviewText();
  const formats = useFormats();
  const [range, setRange] = useRange();
  const { data: points, error, refetch } = useSignIns(range);
  const { tenants, instances } = useWork();
  const { path } = useOperator();
  const { data: mails } = useFailedMails();
  const total = <Item,>(items: readonly Item[] | undefined, of: (item: Item) => number): string | undefined =>
    items && formats.number(items.reduce((sum, item) => sum + of(item), 0));
  return (
    <Page title={t('title')} about={t('about')} actions={<RangeChoice range={range} onChange={setRange} />}>
      <Figures>
        <Figure
          name={t('signedIn')}
          value={total(points, ({ signed_in }) => signed_in)}
          about={t('signInsHint')}
        />
        <Figure
          name={t('refused')}
          value={total(points, ({ refused }) => refused)}
          about={t('refusedHint')}
        />
        <Figure
          name={t('waiting')}
          value={total<TenantQueue>(tenants.data, ({ waiting }) => waiting)}
          to={`${path}/queue`}
        />
        <Figure
          name={t('atWork')}
          value={total<TenantQueue>(tenants.data, ({ at_work }) => at_work)}
          to={`${path}/queue`}
        />
        <Figure
          name={t('instances')}
          value={instances.data && formats.number(instances.data.length)}
          to={`${path}/queue`}
        />
        <Figure
          name={t('failedMails')}
          value={mails && `${formats.number(mails.count)}${mails.isMore ? '+' : ''}`}
          about={t('failedMailsHint')}
          to={`${path}/mail?state=failed&since=24h`}
        />
      </Figures>
      {points !== undefined && <SignInCharts points={points} />}
      {points === undefined &&
        (error === null ? (
          <Skeleton height={240} radius="lg" />
        ) : (
          <Failure error={error} onRetry={() => void refetch()} />
        ))}
      <OperatorsCard />
    </Page>
  );
}
