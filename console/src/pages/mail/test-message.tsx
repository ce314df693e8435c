import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Card } from '../../parts/page.js';
import { messageOf } from '../../parts/queries.js';
import { useMailText } from './text.js';

/** Sends a message through the mail server, and shows what that server answered. */
export function TestMessage({ send: sendTo }: { send: (to: string) => Promise<void> }): ReactNode {
  const t = useMailText();
  const [to, setTo] = useState('');
  const send = useMutation({ mutationFn: () => sendTo(to) });
  return (
    <Card title={t('test')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate();
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            type="email"
            label={t('testTo')}
            required
            withAsterisk={false}
            w={{ base: '100%', xs: 300 }}
            value={to}
            onChange={(event) => {
              setTo(event.currentTarget.value);
            }}
          />
          <Button type="submit" loading={send.isPending}>
            {t('send')}
          </Button>
        </Group>
        {send.error !== null && (
          <Text role="alert" size="sm" c="var(--bad)" mt="xs">
            {messageOf(send.error)}
          </Text>
        )}
        {send.isSuccess && (
          <Text role="status" size="sm" c="var(--ok)" mt="xs">
            {t('sent')}
          </Text>
        )}
      </form>
    </Card>
  );
}
