import { Button } from '@mantine/core';
import type { AuditEntry } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import { Ellipsis, ScrollText, ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { BreakableText } from '../../parts/breakable-text.js';
import { NarrowLine } from '../../parts/data-table.js';
import type { Column } from '../../parts/data-table.js';
import { useFilters } from '../../parts/filters.js';
import { useFormats } from '../../parts/format.js';
import { Instant } from '../../parts/instant.js';
import { Page } from '../../parts/page.js';
import { PagedTable } from '../../parts/paged-table.js';
import { Empty, NothingFound } from '../../parts/states.js';
import { usePages } from '../../parts/use-pages.js';
import { EntryChange } from './audit-change.js';
import { AuditDetails } from './audit-details.js';
import { AuditExport } from './audit-export.js';
import { AuditFilterBar, FILTERS, matchOf } from './audit-filters.js';
import type { AuditSource } from './audit-source.js';
import classes from './audit-trail.module.css';
import { useAuditText } from './text.js';

const PAGE_SIZE = 50;
/** A verification reads the whole trail. */
const VERIFIED_FOR_MS = 300_000;
const STATES = {
  intact: { icon: ShieldCheck, text: 'intact' },
  broken: { icon: ShieldAlert, text: 'broken' },
  too_long: { icon: ShieldQuestion, text: 'tooLong' },
} as const;

function Chain({ source: { key, verify } }: { source: AuditSource }): ReactNode {
  const t = useAuditText();
  const formats = useFormats();
  const { data } = useQuery({
    queryKey: [...key, 'verification'],
    queryFn: async ({ signal }) => (await verify?.(signal)) ?? null,
    staleTime: VERIFIED_FOR_MS,
    refetchOnWindowFocus: false,
    enabled: verify !== null,
  });
  if (data == null) return null;
  const { icon: Icon, text } = STATES[data.state];
  return (
    <span className={classes.chain} data-state={data.state}>
      <Icon size={15} aria-hidden />
      {t(text, {
        entries: formats.number(data.entries),
        position: formats.number(data.broken?.position ?? 0),
      })}
    </span>
  );
}

const SHOWN = 16;

/** The end of an id tells it apart; the details have all of it. */
function shortened(id: string): string {
  return id.length > SHOWN ? `…${id.slice(-SHOWN)}` : id;
}

interface PlaceProps {
  readonly entry: AuditEntry;
  readonly nameOfTenant: AuditSource['nameOfTenant'];
}

/** Of what it is, and in which organization or project, where those columns are left out. */
function Place({ entry: { target, org_id: id }, nameOfTenant }: PlaceProps): ReactNode {
  const texts = [
    target && `${target.type} ${target.name ?? shortened(target.id)}`,
    id !== null && nameOfTenant !== null && (nameOfTenant(id) ?? shortened(id)),
  ].filter((text) => typeof text === 'string');
  return texts.length > 0 && <BreakableText>{texts.join(' · ')}</BreakableText>;
}

function useAuditColumns(
  nameOfTenant: AuditSource['nameOfTenant'],
  onOpen: (entry: AuditEntry) => void,
): Column<AuditEntry>[] {
  const t = useAuditText();
  const named = (name: string | null | undefined, kind: string): ReactNode => (
    <span>
      <bdi className="two-lines" title={name ?? undefined}>
        {name == null ? kind : <BreakableText>{name}</BreakableText>}
      </bdi>
      {name != null && <span className={classes.kind}>{kind}</span>}
    </span>
  );
  return [
    { key: 'at', title: t('at'), cell: ({ at }) => <Instant at={at} withSeconds /> },
    { key: 'by', title: t('by'), optional: 'phone', cell: ({ actor }) => named(actor.name, t(actor.type)) },
    {
      key: 'action',
      title: t('action'),
      cell: (entry) => (
        <span className={classes.action}>
          <code>
            <BreakableText>{entry.action}</BreakableText>
          </code>
          <span className={classes.actor}>
            <BreakableText>{entry.actor.name ?? t(entry.actor.type)}</BreakableText>
          </span>
          <NarrowLine>
            <Place entry={entry} nameOfTenant={nameOfTenant} />
            <EntryChange entry={entry} />
          </NarrowLine>
        </span>
      ),
    },
    {
      key: 'target',
      title: t('target'),
      optional: true,
      cell: ({ target }) => target && named(target.name ?? shortened(target.id), target.type),
    },
    ...(nameOfTenant === null
      ? []
      : [
          {
            key: 'tenant',
            title: t('tenant'),
            optional: true,
            cell: ({ org_id: id }: AuditEntry) =>
              id !== null && (
                <bdi className={`two-lines ${classes.tenant ?? ''}`}>{nameOfTenant(id) ?? shortened(id)}</bdi>
              ),
          },
        ]),
    {
      key: 'change',
      title: t('change'),
      optional: true,
      cell: (entry) => <EntryChange entry={entry} />,
    },
    {
      key: 'details',
      title: t('details'),
      align: 'end',
      cell: (entry) => (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-label={t('detailsOf', { action: entry.action })}
          onClick={() => {
            onOpen(entry);
          }}
        >
          <span className={classes.detailsText}>{t('details')}</span>
          <Ellipsis className={classes.detailsIcon} size={16} aria-hidden />
        </Button>
      ),
    },
  ];
}

/** The page of a trail: filters, the state of its hash chain, export, and the entries, newest first. */
export function AuditTrail({ source }: { source: AuditSource }): ReactNode {
  const t = useAuditText();
  const filters = useFilters(FILTERS);
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  const columns = useAuditColumns(source.nameOfTenant, setOpened);
  const pages = usePages<AuditEntry>([...source.key, filters.values], (signal) =>
    source.list({ ...matchOf(filters.values), limit: PAGE_SIZE, signal }),
  );
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={<AuditExport source={source} match={() => matchOf(filters.values)} />}
    >
      <Chain source={source} />
      <AuditFilterBar filters={filters} />
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
            <Empty icon={ScrollText} title={t('emptyTitle')}>
              {t('emptyText')}
            </Empty>
          )
        }
      />
      {opened !== null && (
        <AuditDetails
          entry={opened}
          onClose={() => {
            setOpened(null);
          }}
        />
      )}
    </Page>
  );
}
