import { Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/SimpleGrid.layer.css';
import { useForm } from '@mantine/form';
import type { MailLanguage, MailTemplates, Template } from '@service/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MONOSPACE } from '../../parts/monospace.js';
import { problemAt, problemBeside } from '../../parts/problems.js';
import { MailPreview, useMailPreview } from './mail-preview.js';
import { useMailText } from './text.js';

/** The parts of a template, each of which shows its own problems. */
const PARTS = ['subject', 'html', 'text'] as const;
type Parts = Record<(typeof PARTS)[number], string>;

interface TemplateFormProps {
  readonly templates: MailTemplates;
  readonly template: Template;
  /** Null for all languages without a template of their own. */
  readonly locale: MailLanguage | null;
  /** Whether this very one was saved, and can be given up. */
  readonly isOwn: boolean;
  readonly variables: readonly string[];
}

/** Edits a template, and shows beside it what the mail looks like. */
export function TemplateForm(props: TemplateFormProps): ReactNode {
  const { templates, template, locale, isOwn, variables } = props;
  const t = useMailText();
  const queries = useQueryClient();
  const { name, subject, html, text, builtin } = template;
  const ofLanguage = { locale: locale ?? undefined };
  const onSuccess = (): Promise<void> => queries.invalidateQueries({ queryKey: ['templates'] });
  const save = useMutation({
    mutationFn: (values: Parts) => templates.set(name, values, ofLanguage),
    onSuccess,
  });
  // What the service said of another text says nothing of this one.
  const form = useForm<Parts>({ initialValues: { subject, html, text }, onValuesChange: save.reset });
  const reset = useMutation({ mutationFn: () => templates.reset(name, ofLanguage), onSuccess });
  const preview = useMailPreview({ templates, name, locale, parts: form.values });
  const problem = problemBeside(save.error ?? reset.error, PARTS);
  const inputProps = (part: (typeof PARTS)[number]) => ({
    ...form.getInputProps(part),
    error: problemAt(save.error ?? preview.error, part),
  });
  return (
    <form
      onSubmit={form.onSubmit((values) => {
        save.mutate(values);
      })}
    >
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t(builtin ? 'builtin' : 'own')}{' '}
            {t('variables', { names: variables.map((variable) => `{{${variable}}}`).join(' ') })}
          </Text>
          <TextInput label={t('subject')} {...inputProps('subject')} />
          <Textarea
            label={t('html')}
            autosize
            minRows={10}
            maxRows={22}
            spellCheck={false}
            styles={MONOSPACE}
            {...inputProps('html')}
          />
          <Textarea
            label={t('plain')}
            autosize
            minRows={5}
            maxRows={14}
            styles={MONOSPACE}
            {...inputProps('text')}
          />
          {problem !== null && (
            <Text role="alert" size="sm" c="var(--bad)">
              {problem}
            </Text>
          )}
          <Group gap="sm">
            <Button type="submit" loading={save.isPending}>
              {t('save')}
            </Button>
            {isOwn && (
              <Button
                variant="default"
                loading={reset.isPending}
                onClick={() => {
                  reset.mutate();
                }}
              >
                {t('reset')}
              </Button>
            )}
            {save.isSuccess && (
              <Text role="status" size="sm" c="var(--ok)">
                {t('saved')}
              </Text>
            )}
          </Group>
        </Stack>
        <MailPreview preview={preview} label={t('preview')} fields={PARTS} />
      </SimpleGrid>
    </form>
  );
}
