import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { Card, Page, PageSkeleton } from '../../parts/page.js';
import { messageOf } from '../../parts/queries.js';
import { Failure } from '../../parts/states.js';
import { useAccess } from '../../session/use-session.js';
import { useShellText } from '../../shell/text.js';
import { pathOf, personal, useOrganizations } from '../../tenant/tenant.js';

function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
}

function CreateOrganization(): ReactNode {
  const t = useShellText();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: '', slug: '' } });
  const create = useMutation({
    mutationFn: (values: { name: string; slug: string }) => personal.orgs.create(values),
    onSuccess: (organization) => navigate(pathOf(organization)),
  });
  return (
    <Page title={t('createTitle')} about={t('createAbout')}>
      <Card>
        <form
          onSubmit={form.onSubmit((values) => {
            create.mutate(values);
          })}
        >
          <Stack maw={420}>
            <TextInput
              label={t('name')}
              required
              withAsterisk={false}
              {...form.getInputProps('name')}
              onChange={({ currentTarget: { value } }) => {
                const follows = form.values.slug === slugOf(form.values.name);
                form.setValues(follows ? { name: value, slug: slugOf(value) } : { name: value });
              }}
            />
            <TextInput
              label={t('slug')}
              description={t('slugHint')}
              required
              withAsterisk={false}
              {...form.getInputProps('slug')}
              error={create.error === null ? undefined : messageOf(create.error)}
            />
            <Button type="submit" loading={create.isPending} style={{ alignSelf: 'flex-start' }}>
              {t('create')}
            </Button>
          </Stack>
        </form>
      </Card>
    </Page>
  );
}

function OrganizationHome(): ReactNode {
  const { data, error, isPending, refetch } = useOrganizations();
  if (isPending) return <PageSkeleton />;
  if (data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  const [newest] = data;
  return newest === undefined ? <CreateOrganization /> : <Navigate to={pathOf(newest)} replace />;
}

/** Leads to where the person can begin. */
export default function HomePage(): ReactNode {
  const access = useAccess();
  return access.kind === 'project' ? (
    <Navigate to={`/p/${access.project.ref}`} replace />
  ) : (
    <OrganizationHome />
  );
}
