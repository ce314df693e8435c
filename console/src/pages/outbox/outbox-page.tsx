import { Button, Text } from '@mantine/core';
import { Mail as MailIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { BreakableText } from '../../parts/breakable-text.js';
import type { Column } from '../../parts/data-table.js';
import { useFilters } from '../../parts/filters.js';
import { Instant } from '../../parts/instant.js';
import { Page } from '../../parts/page.js';
import { PagedTable } from '../../parts/paged-table.js';
import { Empty, NothingFound } from '../../parts/states.js';
import { usePages } from '../../parts/use-pages.js';
import { MailState } from './mail-state.js';
import { FILTERS, OutboxFilters, SPANS_MS, STATES } from './outbox-filters.js';
import { useOutbox } from './outbox.js';
import type { Mail, Outbox } from './outbox.js';
import classes from './outbox.module.css';
import { replacedIn } from './replaced.js';
import { useSendAgain } from './send-again.js';
import { useOutboxText } from './text.js';

const PAGE_SIZE = 50;
/** Nothing tells of a mail that leaves. */
const REFRESH_MS = 2_000;

function useColumns(
  outbox: Outbox,
  replaced: ReadonlySet<Mail['id']>,
  buttonOf: (mail: Mail) => ReactNode,
): readonly Column<Mail>[] {
  const t = useOutboxText();
  const { pathOfUser, isReadOnly } = outbox;
  return [
    {
      key: 'mail',
      title: t('mail'),
      cell: ({ to, kind, user_id: userId }) => (
        <>
          {userId === null || pathOfUser === null ? (
            <bdi className={classes.to}>
              <BreakableText>{to}</BreakableText>
            </bdi>
          ) : (
            <Link to={pathOfUser(userId)} className={classes.to}>
              <bdi>
                <BreakableText>{to}</BreakableText>
              </bdi>
            </Link>
          )}
          <Text size="xs" c="dimmed">
            {t(kind)}
          </Text>
        </>
      ),
    },
    {
      key: 'created',
      title: t('created'),
      optional: true,
      cell: ({ created_at: at }) => <Instant at={at} />,
    },
    {
      key: 'state',
      title: t('state'),
      cell: (mail) => (
        <div className={classes.row}>
          <MailState mail={mail} />
          {!isReadOnly && !replaced.has(mail.id) && buttonOf(mail)}
        </div>
      ),
    },
  ];
}

/** What became of the mails of the deployment, or of a project. */
export default function OutboxPage(): ReactNode {
  const t = useOutboxText();
  const outbox = useOutbox();
  const filters = useFilters(FILTERS);
  const { to, state, since } = filters.values;
  const { buttonOf, dialog } = useSendAgain(outbox);
  const pages = usePages<Mail>(
    [...outbox.key, to, state, since],
    (signal) => {
      const span = Object.entries(SPANS_MS).find(([name]) => name === since)?.[1];
      return outbox.list({
        ...(to === '' ? {} : { to }),
        state: STATES.find((known) => known === state),
        ...(span === undefined ? {} : { since: new Date(Date.now() - span).toISOString() }),
        limit: PAGE_SIZE,
        signal,
      });
    },
    REFRESH_MS,
  );
  // A new mail of an older one would only end the link of the newer.
  const columns = useColumns(outbox, replacedIn(pages.items ?? []), buttonOf);
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        outbox.texts !== null && (
          <Button
            variant="default"
            leftSection={<MailIcon size={15} />}
            renderRoot={(props) => <Link to={outbox.texts ?? ''} {...props} />}
          >
            {t('texts')}
          </Button>
        )
      }
      {...(outbox.settings === null ? {} : { above: [{ title: t('settings'), to: outbox.settings }] })}
    >
      <OutboxFilters filters={filters} />
      <PagedTable
        label={t('title')}
        columns={columns}
        pages={pages}
        keyOf={({ id }) => id}
        more={t('more')}
        empty={
          filters.isAny ? (
            <NothingFound onClear={filters.clear} />
          ) : (
            <Empty icon={MailIcon} title={t('emptyTitle')}>
              {t('emptyText')}
            </Empty>
          )
        }
      />
      {dialog}
    </Page>
  );
}
