import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { DEPLOYMENT_PATH } from '../../operator/operator.js';
import { Card, Page } from '../../parts/page.js';
import { problemAt, problemBeside } from '../../parts/problems.js';
import { messageOf } from '../../parts/queries.js';
import { slugOf } from '../../parts/slug-of.js';
import { useIsOperator } from '../../session/use-session.js';
import { pathOf, personal, useOrganizations } from '../../tenant/tenant.js';
import { createSample } from './create-sample.js';
import { useHomeText } from './text.js';

/** An organization of one's own, or one to look at. */
export default function CreateOrganization(): ReactNode {
  const t = useHomeText();
  const navigate = useNavigate();
  const isOperator = useIsOperator();
  const { data } = useOrganizations();
  const isFirst = data?.length === 0;
  const form = useForm({ initialValues: { name: '', slug: '' } });
  const create = useMutation({
    mutationFn: (values: { name: string; slug: string }) => personal.orgs.create(values),
    onSuccess: (organization) => navigate(pathOf(organization)),
  });
  const sample = useMutation({
    mutationFn: createSample,
    onSuccess: (organization) => navigate(pathOf(organization)),
  });
  return (
    <Page title={t(isFirst ? 'createTitle' : 'createAnotherTitle')} about={t('createAbout')}>
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
              error={problemAt(create.error, 'name')}
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
              error={problemAt(create.error, 'slug') ?? problemBeside(create.error, ['name'])}
            />
            <Button type="submit" loading={create.isPending} style={{ alignSelf: 'flex-start' }}>
              {t('create')}
            </Button>
          </Stack>
        </form>
      </Card>
      <Card title={t('sampleTitle')}>
        <Stack align="flex-start" gap="sm">
          <Text size="sm" c="dimmed" maw={560}>
            {t('sampleAbout')}
          </Text>
          {sample.error !== null && (
            <Text size="sm" c="var(--bad)" role="alert">
              {messageOf(sample.error)}
            </Text>
          )}
          <Button
            variant="default"
            loading={sample.isPending}
            onClick={() => {
              sample.mutate();
            }}
          >
            {t('createSample')}
          </Button>
        </Stack>
      </Card>
      {isOperator && isFirst && (
        <Card title={t('operatorTitle')}>
          <Stack align="flex-start" gap="sm">
            <Text size="sm" c="dimmed" maw={560}>
              {t('operatorAbout')}
            </Text>
            <Button variant="default" component={Link} to={DEPLOYMENT_PATH}>
              {t('openDeployment')}
            </Button>
          </Stack>
        </Card>
      )}
    </Page>
  );
}
