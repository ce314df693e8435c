import type { AuditEntry } from '@service/client';
import type { ReactNode } from 'react';
import { AccountActivity } from '../../parts/account-activity.js';
import { usePages } from '../../parts/use-pages.js';
import { personal } from '../../tenant/tenant.js';
import { useAccountText } from './text.js';

const PAGE_SIZE = 10;

/** What happened to the person's account, so that they notice what they did not do. */
export function OwnActivity(): ReactNode {
  const t = useAccountText();
  const pages = usePages<AuditEntry>(['account', 'audit'], (signal) =>
    personal.auth.audit({ limit: PAGE_SIZE, signal }),
  );
  return <AccountActivity hasNames={false} label={t('activity')} pages={pages} />;
}
