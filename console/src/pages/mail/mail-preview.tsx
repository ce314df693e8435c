import { Group, NativeSelect, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { BrandChange, MailLanguage, MailTemplates } from '@service/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { MAIL_LANGUAGES } from '../../parts/mail-languages.js';
import { problemBeside } from '../../parts/problems.js';
import classes from './mail-page.module.css';
import { useMailText } from './text.js';

const PAUSE_MS = 400;

interface Previewed {
  readonly templates: MailTemplates;
  readonly name: string;
  /** Null lets the reader choose. */
  readonly locale: MailLanguage | null;
  /** What is being typed. */
  readonly parts?: { readonly subject: string; readonly html: string; readonly text: string };
  readonly brand?: BrandChange;
}

/** Asks the service for the mail that is being typed. What it rendered last stays while that is none. */
export function useMailPreview({ templates, name, locale, parts, brand }: Previewed) {
  const [chosen, setChosen] = useState<MailLanguage>('en');
  const [typed] = useDebouncedValue({ parts, brand }, PAUSE_MS);
  const { data, error } = useQuery({
    queryKey: ['mail-preview', name, locale ?? chosen, typed],
    queryFn: ({ signal }) =>
      templates.preview(name, { locale: locale ?? chosen, ...typed.parts, brand: typed.brand, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const [rendered, setRendered] = useState(data);
  if (data !== undefined && data !== rendered) setRendered(data);
  return { rendered, error, chosen, setChosen, isChoice: locale === null };
}

interface MailPreviewProps {
  readonly preview: ReturnType<typeof useMailPreview>;
  /** Of the region. */
  readonly label: string;
  /** Parts whose problems are shown where they are typed. */
  readonly fields?: readonly string[];
}

/** What a mail looks like, rendered by the service. Nothing is sent. */
export function MailPreview({ preview, label, fields = [] }: MailPreviewProps): ReactNode {
  const t = useMailText();
  const { rendered, error, chosen, setChosen, isChoice } = preview;
  return (
    <section aria-label={label} className={classes.preview}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} dir="auto">
          {rendered?.subject}
        </Text>
        {isChoice && (
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
          {problemBeside(error, fields) ?? t('previewStays')}
        </Text>
      )}
      {/* Without any permission in the sandbox, nothing of the mail runs, and its origin is none. */}
      <iframe sandbox="" title={t('previewOf')} srcDoc={rendered?.html ?? ''} className={classes.frame} />
      <pre role="group" className={classes.plain} dir="auto" tabIndex={0} aria-label={t('plain')}>
        {rendered?.text}
      </pre>
    </section>
  );
}
