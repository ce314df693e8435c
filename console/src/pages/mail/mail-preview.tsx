import { Group, NativeSelect, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { BrandChange, MailLanguage, MailTemplates } from '@service/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { MAIL_LANGUAGES } from '../../parts/mail-languages.js';
import { messageOf } from '../../parts/queries.js';
import classes from './mail-page.module.css';
import { useMailText } from './text.js';

const PAUSE_MS = 400;

interface MailPreviewProps {
  readonly templates: MailTemplates;
  readonly name: string;
  /** Of the region. */
  readonly label: string;
  /** Null lets the reader choose. */
  readonly locale: MailLanguage | null;
  /** What is being typed. */
  readonly parts?: { readonly subject: string; readonly html: string; readonly text: string };
  readonly brand?: BrandChange;
}

/** What a mail looks like, rendered by the service from what is being typed. Nothing is sent. */
export function MailPreview({ templates, name, label, locale, parts, brand }: MailPreviewProps): ReactNode {
  const t = useMailText();
  const [chosen, setChosen] = useState<MailLanguage>('en');
  const [typed] = useDebouncedValue({ parts, brand }, PAUSE_MS);
  const { data, error } = useQuery({
    queryKey: ['mail-preview', name, locale ?? chosen, typed],
    queryFn: ({ signal }) =>
      templates.preview(name, { locale: locale ?? chosen, ...typed.parts, brand: typed.brand, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <section aria-label={label} className={classes.preview}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} dir="auto">
          {data?.subject}
        </Text>
        {locale === null && (
          <NativeSelect
            size="xs"
            aria-label={t('previewLanguage')}
            data={[...MAIL_LANGUAGES]}
            value={chosen}
            onChange={({ currentTarget }) => {
              setChosen(MAIL_LANGUAGES.find(({ value }) => value === currentTarget.value)?.value ?? 'en');
            }}
          />
        )}
      </Group>
      {error !== null && (
        <Text size="sm" c="var(--bad)" role="status">
          {messageOf(error)}
        </Text>
      )}
      {/* Without any permission in the sandbox, nothing of the mail runs, and its origin is none. */}
      <iframe sandbox="" title={t('previewOf')} srcDoc={data?.html ?? ''} className={classes.frame} />
      <pre role="group" className={classes.plain} dir="auto" tabIndex={0} aria-label={t('plain')}>
        {data?.text}
      </pre>
    </section>
  );
}
