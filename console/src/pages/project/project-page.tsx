import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FolderOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { Facts } from '../../parts/facts.js';
import { Identifier } from '../../parts/identifier.js';
import { Instant } from '../../parts/instant.js';
import { Card, Page, PageSkeleton } from '../../parts/page.js';
import { Failure } from '../../parts/states.js';
import { pathOfProject } from '../../tenant/tenant.js';
import { useProjectsText } from '../projects/text.js';
import { useProjectAdmin } from '../projects/use-project-admin.js';
import type { Project } from '../projects/use-project-admin.js';
import { ProjectActions } from './project-actions.js';
import { ProjectKeys } from './project-keys.js';

function Shown({ project }: { project: Project }): ReactNode {
  const t = useProjectsText();
  const { path, isReadOnly } = useProjectAdmin();
  return (
    <Page
      title={project.name}
      above={[{ title: t('projects'), to: path }]}
      actions={!isReadOnly && <ProjectActions project={project} />}
    >
      <Card>
        <Facts
          facts={[
            { name: t('ref'), value: <Identifier value={project.ref} what={t('ref')} /> },
            { name: t('id'), value: <Identifier value={project.id} what={t('id')} /> },
            { name: t('hosts'), value: project.hosts.join(', ') || t('noHosts') },
            {
              name: t('redirectUrls'),
              value:
                project.redirect_urls.length === 0
                  ? t('noRedirectUrls')
                  : project.redirect_urls.map((url) => <div key={url}>{url}</div>),
            },
            { name: t('created'), value: <Instant at={project.created_at} /> },
          ]}
        />
      </Card>
      <ProjectKeys project={project} />
      <Card title={t('insideTitle')}>
        <Text size="sm" mb="sm">
          {t('insideText')}
        </Text>
        <Button
          variant="default"
          leftSection={<FolderOpen size={15} />}
          renderRoot={(props) => <Link to={pathOfProject(project.ref)} {...props} />}
        >
          {t('open')}
        </Button>
      </Card>
    </Page>
  );
}

/** A project as its operator sees it: keys, name and hosts. */
export default function ProjectPage(): ReactNode {
  const { ref = '' } = useParams();
  const { projects, path } = useProjectAdmin();
  const { data, error, isPending, refetch } = useQuery<Project>({
    queryKey: ['deployment', 'project', ref],
    queryFn: ({ signal }) => projects.get(ref, { signal }),
  });
  if (data !== undefined) return <Shown project={data} />;
  return isPending ? (
    <PageSkeleton />
  ) : (
    <Failure isWholePage list={path} error={error} onRetry={() => void refetch()} />
  );
}
