import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Page, PageSkeleton } from '../../parts/page.js';
import { isCode } from '../../parts/queries.js';
import { Failure } from '../../parts/states.js';
import { useTenant } from '../../tenant/tenant.js';
import { BrandForm } from './brand-form.js';
import classes from './mail-page.module.css';
import { MailServerForm } from './mail-server-form.js';
import { TemplateEditor } from './template-editor.js';
import { TestMessage } from './test-message.js';
import { useMailText } from './text.js';

/** Whose mails a project sends through which server, and their texts. */
export default function MailPage(): ReactNode {
  const t = useMailText();
  const { project, slug, name, isReadOnly } = useTenant();
  if (project === null) throw new Error('only projects have mail settings');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['mail', slug],
    queryFn: async ({ signal }) => {
      try {
        return await project.mail.get({ signal });
      } catch (failure) {
        if (isCode(failure, 'mail_settings_not_found')) return null;
        throw failure;
      }
    },
  });
  if (isPending) return <PageSkeleton />;
  if (data === undefined) return <Failure isWholePage error={error} onRetry={() => void refetch()} />;
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        <Button
          variant="default"
          leftSection={<Send size={15} />}
          renderRoot={(props) => <Link to="outbox" {...props} />}
        >
          {t('outbox')}
        </Button>
      }
    >
      <fieldset disabled={isReadOnly} className={classes.forms}>
        <MailServerForm mail={project.mail} settings={data} />
        {data !== null && <TestMessage send={(to) => project.mail.test(to)} />}
        <BrandForm brand={project.brand} templates={project.templates} slug={slug} name={name} />
        <TemplateEditor templates={project.templates} owner={slug} />
      </fieldset>
    </Page>
  );
}
