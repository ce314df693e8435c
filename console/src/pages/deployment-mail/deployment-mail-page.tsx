import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useOperator } from '../../operator/operator.js';
import { Facts } from '../../parts/facts.js';
import { Card, Page, PageSkeleton } from '../../parts/page.js';
import { Failure } from '../../parts/states.js';
import { useShellText } from '../../shell/text.js';
import classes from '../mail/mail-page.module.css';
import { TemplateEditor } from '../mail/template-editor.js';
import { TestMessage } from '../mail/test-message.js';
import { useMailText } from '../mail/text.js';

/** How the mails of the deployment look, and what they say. */
export default function DeploymentMailPage(): ReactNode {
  const t = useMailText();
  const shell = useShellText();
  const { organization, isReadOnly, path } = useOperator();
  if (organization === null) throw new Error('projects have their own mails');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['brand', ''],
    queryFn: ({ signal }) => organization.brand.get({ signal }),
  });
  if (isPending) return <PageSkeleton />;
  if (data === undefined) return <Failure isWholePage error={error} onRetry={() => void refetch()} />;
  return (
    <Page
      title={t('deploymentTitle')}
      above={[{ title: shell('mailOutbox'), to: `${path}/mail` }]}
      about={t('deploymentAbout')}
    >
      <fieldset disabled={isReadOnly} className={classes.forms}>
        <Card title={t('brand')}>
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              {t('brandFromSettings')}
            </Text>
            <Facts
              facts={[
                { name: t('brandName'), value: <bdi>{data.name ?? t('none')}</bdi> },
                { name: t('logoUrl'), value: data.logo_url ?? t('none') },
                { name: t('color'), value: data.color ?? t('none') },
                { name: t('supportUrl'), value: data.support_url ?? t('none') },
              ]}
            />
          </Stack>
        </Card>
        <TestMessage send={(to) => organization.brand.testMail(to)} />
        <TemplateEditor templates={organization.templates} owner="" />
      </fieldset>
    </Page>
  );
}
