import {
  Alert,
  Button,
  Group,
  PasswordInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import type { TextInputProps } from '@mantine/core';
import '@mantine/core/styles/SimpleGrid.layer.css';
import { useForm } from '@mantine/form';
import type { ProjectClient } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { MailWarning } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '../../parts/page.js';
import { messageOf } from '../../parts/queries.js';
import { useMailText } from './text.js';

type Mail = ProjectClient['mail'];
type Settings = Awaited<ReturnType<Mail['get']>>;

interface MailServerFormProps {
  readonly mail: Mail;
  /** Null while there are none. */
  readonly settings: Settings | null;
}

/** Through which server the project's mails leave. */
export function MailServerForm({ mail, settings }: MailServerFormProps): ReactNode {
  const t = useMailText();
  const form = useForm({
    initialValues: {
      host: settings?.host ?? '',
      port: String(settings?.port ?? 587),
      from: settings?.from ?? '',
      tls: settings?.tls ?? ('starttls' as const),
      user: settings?.user ?? '',
      password: '',
    },
  });
  const save = useMutation({
    mutationFn: ({ host, port, from, tls, user, password }: typeof form.values) =>
      mail.set({
        host,
        port: Number(port),
        from,
        tls,
        ...(user === '' ? {} : { user }),
        ...(password === '' ? {} : { password }),
      }),
    onSuccess: () => {
      form.setFieldValue('password', '');
    },
  });
  // The inputs of a row stand side by side, with hints below them.
  const hintBelow: Pick<TextInputProps, 'inputWrapperOrder'> = {
    inputWrapperOrder: ['label', 'input', 'description', 'error'],
  };
  const required = { required: true, withAsterisk: false } as const;
  return (
    <Card title={t('server')}>
      <form
        onSubmit={form.onSubmit((values) => {
          save.mutate(values);
        })}
      >
        <Stack>
          {settings === null && (
            <Alert color="yellow" variant="default" icon={<MailWarning size={17} />}>
              {t('notSet')}
            </Alert>
          )}
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            <TextInput label={t('host')} {...required} {...form.getInputProps('host')} />
            <TextInput
              label={t('port')}
              inputMode="numeric"
              pattern="[0-9]+"
              {...required}
              {...form.getInputProps('port')}
            />
            <Select
              label={t('tls')}
              allowDeselect={false}
              data={[
                { value: 'starttls', label: t('starttls') },
                { value: 'tls', label: t('directTls') },
                { value: 'none', label: t('noTls') },
              ]}
              {...form.getInputProps('tls')}
            />
            <TextInput
              label={t('from')}
              description={t('fromHint')}
              {...hintBelow}
              {...required}
              {...form.getInputProps('from')}
            />
            <TextInput label={t('user')} autoComplete="off" {...form.getInputProps('user')} />
            <PasswordInput
              label={t('password')}
              description={t('passwordHint')}
              {...hintBelow}
              autoComplete="new-password"
              {...form.getInputProps('password')}
            />
          </SimpleGrid>
          <Group gap="sm">
            <Button type="submit" loading={save.isPending}>
              {t('save')}
            </Button>
            {save.error !== null && (
              <Text role="alert" size="sm" c="var(--bad)">
                {messageOf(save.error)}
              </Text>
            )}
            {save.isSuccess && (
              <Text role="status" size="sm" c="var(--ok)">
                {t('saved')}
              </Text>
            )}
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
