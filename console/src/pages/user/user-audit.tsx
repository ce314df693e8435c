import type { AuditEntry } from '@service/client';
import type { ReactNode } from 'react';
import { AccountActivity } from '../../parts/account-activity.js';
import { usePages } from '../../parts/use-pages.js';
import { useAccounts } from '../users/accounts.js';
import type { Account } from '../users/accounts.js';
import { useUserText } from './text.js';

const PAGE_SIZE = 10;

/** What happened to the account. */
export function UserAudit({ account: { id } }: { account: Account }): ReactNode {
  const t = useUserText();
  const { key, client } = useAccounts();
  const pages = usePages<AuditEntry>([...key, 'audit', id], (signal) =>
    client.audit(id, { limit: PAGE_SIZE, signal }),
  );
  return <AccountActivity hasNames label={t('audit')} pages={pages} />;
}
