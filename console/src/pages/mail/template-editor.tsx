import { Group, NativeSelect, Skeleton } from '@mantine/core';
import type { MailLanguage, MailTemplates } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { MAIL_LANGUAGES } from '../../parts/mail-languages.js';
import { Card } from '../../parts/page.js';
import { Failure } from '../../parts/states.js';
import { TemplateForm } from './template-form.js';
import { isTitled, useMailText } from './text.js';

interface TemplateEditorProps {
  readonly templates: MailTemplates;
  /** Whose they are: the ref of a project, or of the deployment. */
  readonly owner: string;
}

/** The texts of the mails, for all languages or for one. */
export function TemplateEditor({ templates, owner }: TemplateEditorProps): ReactNode {
  const t = useMailText();
  const [chosen, setChosen] = useState<string | null>(null);
  const [locale, setLocale] = useState<MailLanguage | null>(null);
  const list = useQuery({
    queryKey: ['templates', owner],
    queryFn: ({ signal }) => templates.list({ signal }),
  });
  const listed = list.data?.find(({ name }) => name === chosen) ?? list.data?.[0];
  const name = listed?.name;
  const { data, error, refetch } = useQuery({
    queryKey: ['templates', owner, name, locale],
    queryFn: ({ signal }) => templates.get(name ?? '', { locale: locale ?? undefined, signal }),
    enabled: name !== undefined,
  });
  const failure = list.error ?? error;
  return (
    <Card
      title={t('templates')}
      action={
        <Group gap="xs">
          <NativeSelect
            size="xs"
            aria-label={t('template')}
            data={(list.data ?? []).map(({ name: value }) => ({
              value,
              label: isTitled(value) ? t(value) : value,
            }))}
            value={name ?? ''}
            onChange={({ currentTarget }) => {
              setChosen(currentTarget.value);
            }}
          />
          <NativeSelect
            size="xs"
            aria-label={t('language')}
            data={[{ value: '', label: t('allLanguages') }, ...MAIL_LANGUAGES]}
            value={locale ?? ''}
            onChange={({ currentTarget }) => {
              setLocale(MAIL_LANGUAGES.find(({ value }) => value === currentTarget.value)?.value ?? null);
            }}
          />
        </Group>
      }
    >
      {data !== undefined && listed !== undefined ? (
        <TemplateForm
          // What is being typed stays until the template is another one.
          key={`${data.name} ${locale ?? ''} ${data.builtin}`}
          templates={templates}
          template={data}
          locale={locale}
          isOwn={locale === null ? !listed.builtin : listed.own_locales.includes(locale)}
          variables={listed.variables}
        />
      ) : failure === null ? (
        <Skeleton height={320} />
      ) : (
        <Failure error={failure} onRetry={() => void (list.error === null ? refetch() : list.refetch())} />
      )}
    </Card>
  );
}
