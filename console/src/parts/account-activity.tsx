import type { AuditEntry } from '@service/client';
import { ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Column } from './data-table.js';
import { deviceOf } from './device.js';
import { Instant } from './instant.js';
import { PagedTable } from './paged-table.js';
import { Empty } from './states.js';
import { usePartsText } from './text.js';
import type { Pages } from './use-pages.js';

interface AccountActivityProps {
  readonly label: string;
  readonly pages: Pages<AuditEntry>;
  /** Who did it. The person's own list has no names. */
  readonly hasNames: boolean;
}

/** The audit entries of an account, newest first. */
export function AccountActivity({ label, pages, hasNames }: AccountActivityProps): ReactNode {
  const t = usePartsText();
  const columns: Column<AuditEntry>[] = [
    { key: 'at', title: t('at'), cell: ({ at }) => <Instant at={at} /> },
    { key: 'action', title: t('action'), cell: ({ action }) => <code>{action}</code> },
    hasNames
      ? {
          key: 'by',
          title: t('by'),
          optional: true,
          cell: ({ actor }) => <span dir="auto">{actor.name ?? actor.type}</span>,
        }
      : {
          key: 'from',
          title: t('from'),
          optional: true,
          cell: ({ ip, user_agent }) => (
            <span title={user_agent ?? undefined}>
              {user_agent !== null && <>{deviceOf(user_agent)} · </>}
              <code>{ip ?? '–'}</code>
            </span>
          ),
        },
  ];
  return (
    <PagedTable
      isPart
      label={label}
      columns={columns}
      pages={pages}
      keyOf={({ id }) => id}
      more={t('older')}
      empty={<Empty icon={ScrollText} title={t('noActivity')} />}
    />
  );
}
