import { Button, ColorInput, Group, SimpleGrid, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/ColorInput.layer.css';
import '@mantine/core/styles/ColorPicker.layer.css';
import '@mantine/core/styles/ColorSwatch.layer.css';
import '@mantine/core/styles/SimpleGrid.layer.css';
import { useForm } from '@mantine/form';
import type { Brand, BrandChange, MailTemplates, ProjectClient } from '@service/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card } from '../../parts/page.js';
import { problemAt, problemBeside } from '../../parts/problems.js';
import { Failure } from '../../parts/states.js';
import { MailPreview, useMailPreview } from './mail-preview.js';
import { useMailText } from './text.js';

interface BrandFormProps {
  readonly brand: ProjectClient['brand'];
  readonly templates: MailTemplates;
  readonly slug: string;
  /** Of the project, which stands in for a name. */
  readonly name: string;
}

const FIELDS = ['name', 'logo_url', 'color', 'support_url'] as const;

type Fields = Record<keyof Brand, string>;

function changeOf(fields: Fields, name?: string): BrandChange {
  const filled = Object.entries(fields).filter(([, value]) => value.trim() !== '');
  return { ...(name === undefined ? {} : { name }), ...Object.fromEntries(filled) };
}

function Fields({ brand, templates, name, saved }: BrandFormProps & { readonly saved: Brand }): ReactNode {
  const t = useMailText();
  const save = useMutation({ mutationFn: (fields: Fields) => brand.set(changeOf(fields)) });
  const form = useForm<Fields>({
    initialValues: {
      name: saved.name ?? '',
      logo_url: saved.logo_url ?? '',
      color: saved.color ?? '',
      support_url: saved.support_url ?? '',
    },
    // What the service said of other values says nothing of these.
    onValuesChange: save.reset,
  });
  const preview = useMailPreview({
    templates,
    name: 'recovery',
    locale: null,
    brand: changeOf(form.values, name),
  });
  const problem = problemBeside(save.error, FIELDS);
  const inputProps = (field: (typeof FIELDS)[number]) => ({
    ...form.getInputProps(field),
    error: problemAt(save.error, field) ?? problemAt(preview.error, `brand.${field}`),
  });
  return (
    <form
      onSubmit={form.onSubmit((fields) => {
        save.mutate(fields);
      })}
    >
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t('brandHint')}
          </Text>
          <TextInput label={t('brandName')} placeholder={name} dir="auto" {...inputProps('name')} />
          <TextInput
            label={t('logoUrl')}
            type="url"
            placeholder="https://www.example.com/logo.png"
            {...inputProps('logo_url')}
          />
          <ColorInput
            withEyeDropper={false}
            label={t('color')}
            placeholder="#0842a0"
            {...inputProps('color')}
          />
          <TextInput
            label={t('supportUrl')}
            placeholder="https://www.example.com/help"
            {...inputProps('support_url')}
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
            {save.isSuccess && (
              <Text role="status" size="sm" c="var(--ok)">
                {t('saved')}
              </Text>
            )}
          </Group>
        </Stack>
        <MailPreview
          preview={preview}
          label={t('brandPreview')}
          fields={FIELDS.map((field) => `brand.${field}`)}
        />
      </SimpleGrid>
    </form>
  );
}

/** How the mails and pages of the project look. */
export function BrandForm(props: BrandFormProps): ReactNode {
  const t = useMailText();
  const { data, error, refetch } = useQuery({
    queryKey: ['brand', props.slug],
    queryFn: ({ signal }) => props.brand.get({ signal }),
  });
  return (
    <Card title={t('brand')}>
      {data !== undefined ? (
        <Fields {...props} saved={data} />
      ) : error === null ? (
        <Skeleton height={240} />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
    </Card>
  );
}
