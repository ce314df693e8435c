import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { OperatorOrganization } from '@service/client';
import { Building2, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { BreakableText } from '../../parts/breakable-text.js';
import type { Column } from '../../parts/data-table.js';
import { useFilters } from '../../parts/filters.js';
import { FindFilter } from '../../parts/find-filter.js';
import { useFormats } from '../../parts/format.js';
import { Identifier } from '../../parts/identifier.js';
import { Instant } from '../../parts/instant.js';
import { Page } from '../../parts/page.js';
import { PagedTable } from '../../parts/paged-table.js';
import { Empty, NothingFound } from '../../parts/states.js';
import { usePages } from '../../parts/use-pages.js';
import classes from '../users/users-page.module.css';
import { CreateOrganization } from './create-organization.js';
import { useOrganizationsText } from './text.js';
import { useOrganizationAdmin } from './use-organization-admin.js';

const PAGE_SIZE = 50;

/** The organizations of the deployment. */
export default function OrganizationsPage(): ReactNode {
  const t = useOrganizationsText();
  const formats = useFormats();
  const { admin, path, isReadOnly } = useOrganizationAdmin();
  const [isOpen, { open, close }] = useDisclosure();
  const filters = useFilters(['find']);
  const { find } = filters.values;
  const pages = usePages(['deployment', 'organizations', 'list', find], (signal) =>
    admin.orgs.list({ ...(find === '' ? {} : { search: find }), limit: PAGE_SIZE, signal }),
  );
  const columns: Column<OperatorOrganization>[] = [
    {
      key: 'name',
      title: t('organization'),
      cell: ({ slug, name }) => (
        <Link to={`${path}/${slug}`} className={classes.name} dir="auto">
          <BreakableText>{name}</BreakableText>
        </Link>
      ),
    },
    {
      key: 'slug',
      title: t('slug'),
      optional: true,
      cell: ({ slug }) => (
        <code>
          <BreakableText>{slug}</BreakableText>
        </code>
      ),
    },
    {
      key: 'members',
      title: t('members'),
      align: 'end',
      cell: ({ members }) => <span className="numbers">{formats.number(members)}</span>,
    },
    {
      key: 'id',
      title: t('id'),
      optional: true,
      cell: ({ id }) => <Identifier value={id} what={t('id')} short />,
    },
    {
      key: 'created',
      title: t('created'),
      optional: true,
      cell: ({ created_at }) => <Instant at={created_at} />,
    },
  ];
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        !isReadOnly && (
          <Button leftSection={<Plus size={15} />} onClick={open}>
            {t('create')}
          </Button>
        )
      }
    >
      <FindFilter label={t('find')} filters={filters} />
      <PagedTable
        label={t('title')}
        columns={columns}
        pages={pages}
        keyOf={({ id }) => id}
        opensRows
        more={t('more')}
        empty={
          filters.isAny ? (
            <NothingFound onClear={filters.clear} />
          ) : (
            <Empty icon={Building2} title={t('emptyTitle')}>
              {t('emptyText')}
            </Empty>
          )
        }
      />
      <CreateOrganization isOpen={isOpen} onClose={close} />
    </Page>
  );
}
