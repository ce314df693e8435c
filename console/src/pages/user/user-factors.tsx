import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { DataTable } from '../../parts/data-table.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { useFactorColumns } from '../account/factors/factor-columns.js';
import { useFactorsText } from '../account/factors/text.js';
import type { Account } from '../users/accounts.js';
import { useFactors } from './use-factors.js';

export function UserFactors({ account }: { account: Account }): ReactNode {
  const t = useFactorsText();
  const columns = useFactorColumns();
  const { data, error, refetch } = useFactors(account);
  return (
    <Card flush title={t('title')}>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={<Empty icon={ShieldCheck} title={t('none')} />}
        expected={1}
      />
    </Card>
  );
}
