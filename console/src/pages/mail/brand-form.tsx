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
import { messageOf } from '../../parts/queries.js';
import { Failure } from '../../parts/states.js';
import { MailPreview } from './mail-preview.js';
import { useMailText } from './text.js';

interface BrandFormProps {
  readonly brand: ProjectClient['brand'];
  readonly templates: MailTemplates;
  readonly slug: string;
  /** Of the project, which stands in for a name. */
  readonly name: string;
}

type Fields = Record<keyof Brand, string>;

function changeOf(fields: Fields, name?: string): BrandChange {
  const filled = Object.entries(fields).filter(([, value]) => value.trim() !== '');
  return { ...(name === undefined ? {} : { name }), ...Object.fromEntries(filled) };
}

function Fields({ brand, templates, name, saved }: BrandFormProps & { readonly saved: Brand }): ReactNode {
  const t = useMailText();
  const form = useForm<Fields>({
    initialValues: {
      name: saved.name ?? '',
      logo_url: saved.logo_url ?? '',
      color: saved.color ?? '',
      support_url: saved.support_url ?? '',
    },
  });
  const save = useMutation({ mutationFn: (fields: Fields) => brand.set(changeOf(fields)) });
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
          <TextInput label={t('brandName')} placeholder={name} dir="auto" {...form.getInputProps('name')} />
          <TextInput
            label={t('logoUrl')}
            type="url"
            placeholder="https://www.example.com/logo.png"
            {...form.getInputProps('logo_url')}
          />
          <ColorInput
            withEyeDropper={false}
            label={t('color')}
            placeholder="#0842a0"
            {...form.getInputProps('color')}
          />
          <TextInput
            label={t('supportUrl')}
            placeholder="https://www.example.com/help"
            {...form.getInputProps('support_url')}
          />
          {save.error !== null && (
            <Text role="alert" size="sm" c="var(--bad)">
              {messageOf(save.error)}
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
          templates={templates}
          name="recovery"
          label={t('brandPreview')}
          locale={null}
          brand={changeOf(form.values, name)}
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
