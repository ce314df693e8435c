import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { FolderKanban, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Column } from '../../parts/data-table.js';
import { useFilters } from '../../parts/filters.js';
import { FindFilter } from '../../parts/find-filter.js';
import { Instant } from '../../parts/instant.js';
import { Page } from '../../parts/page.js';
import { PagedTable } from '../../parts/paged-table.js';
import { messageOf } from '../../parts/queries.js';
import { Empty, NothingFound } from '../../parts/states.js';
import { usePages } from '../../parts/use-pages.js';
import { pathOfProject } from '../../tenant/tenant.js';
import { createSampleProject } from '../home/create-sample.js';
import classes from '../users/users-page.module.css';
import { CreateProject } from './create-project.js';
import { useProjectsText } from './text.js';
import { useProjectAdmin } from './use-project-admin.js';
import type { Project } from './use-project-admin.js';

const PAGE_SIZE = 50;

/** The projects of the deployment. */
export default function ProjectsPage(): ReactNode {
  const t = useProjectsText();
  const { projects, path, isReadOnly } = useProjectAdmin();
  const [isOpen, { open, close }] = useDisclosure();
  const filters = useFilters(['find']);
  const { find } = filters.values;
  const pages = usePages<Project>(['deployment', 'projects', 'list', find], (signal) =>
    projects.list({ ...(find === '' ? {} : { search: find }), limit: PAGE_SIZE, signal }),
  );
  const navigate = useNavigate();
  const sample = useMutation({
    mutationFn: () => createSampleProject(projects),
    onSuccess: ({ ref }) => navigate(pathOfProject(ref)),
  });
  const columns: Column<Project>[] = [
    {
      key: 'name',
      title: t('project'),
      cell: ({ ref, name }) => (
        <Link to={`${path}/${ref}`} className={classes.name} dir="auto">
          {name}
        </Link>
      ),
    },
    { key: 'ref', title: t('ref'), cell: ({ ref }) => <code>{ref}</code> },
    { key: 'hosts', title: t('hosts'), optional: true, cell: ({ hosts }) => hosts.join(', ') || '–' },
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
            <Empty
              icon={FolderKanban}
              title={t('emptyTitle')}
              action={
                !isReadOnly && (
                  <Button
                    variant="default"
                    loading={sample.isPending}
                    onClick={() => {
                      sample.mutate();
                    }}
                  >
                    {t('createSample')}
                  </Button>
                )
              }
            >
              {t('emptyText')}
              {!isReadOnly && <div>{t('sampleText')}</div>}
              {sample.error !== null && (
                <Text size="sm" c="var(--bad)" role="alert">
                  {messageOf(sample.error)}
                </Text>
              )}
            </Empty>
          )
        }
      />
      <CreateProject isOpen={isOpen} onClose={close} />
    </Page>
  );
}
