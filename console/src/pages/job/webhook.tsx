import { Alert, Anchor, Button, Group, PasswordInput, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { CircleCheck, KeyRound, Send } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { KeyText } from '../../parts/key-text.js';
import { Card } from '../../parts/page.js';
import { messageOf } from '../../parts/queries.js';
import { useTenant } from '../../tenant/tenant.js';
import { SecretForm } from '../secrets/secret-form.js';
import { canSign, headerOf, hookUrl, signedHeaders } from './sample-call.js';
import type { WebhookTrigger } from './sample-call.js';
import { useWebhookText } from './webhook-text.js';

const VAULT = 'vault:';

/** Sends the call that the provider would send, signed here with the secret that the person pasted. */
function SampleCall({ trigger }: { trigger: WebhookTrigger }): ReactNode {
  const t = useWebhookText();
  const { client, path } = useTenant();
  const [secret, setSecret] = useState('');
  const [body, setBody] = useState('{\n  "sample": true\n}');
  const { path: hook, method = 'POST', verify } = trigger;
  const send = useMutation({
    mutationFn: async () => {
      const sent = method === 'GET' ? '' : body;
      const headers = { 'content-type': 'application/json', ...(await signedHeaders(verify, secret, sent)) };
      const name = hook.slice(hook.lastIndexOf('/') + 1);
      return await client.hooks.call(name, { method, headers, ...(sent === '' ? {} : { body: sent }) });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t(canSign ? 'sampleAbout' : 'cannotSign')}
        </Text>
        <PasswordInput
          label={t('secret')}
          value={secret}
          onChange={({ currentTarget }) => {
            setSecret(currentTarget.value);
          }}
          autoComplete="off"
          required
          withAsterisk={false}
        />
        {method !== 'GET' && (
          <Textarea
            label={t('body')}
            value={body}
            onChange={({ currentTarget }) => {
              setBody(currentTarget.value);
            }}
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
          />
        )}
        {send.error !== null && (
          <Text role="alert" size="sm" c="var(--bad)">
            {messageOf(send.error)}
          </Text>
        )}
        {send.data !== undefined && (
          <Alert color="green" variant="default" icon={<CircleCheck size={17} />} role="status">
            {t('arrived')}{' '}
            <Anchor component={Link} to={`${path}/runs/${send.data.run_id}`} size="sm">
              {send.data.run_id}
            </Anchor>
          </Alert>
        )}
        <Group justify="flex-end">
          <Button
            type="submit"
            variant="default"
            leftSection={<Send size={15} />}
            loading={send.isPending}
            disabled={!canSign || secret === ''}
          >
            {t('send')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A hook of the job: its address for the provider, its secret, and a call that shows that it works. */
export function Webhook({ trigger }: { trigger: WebhookTrigger }): ReactNode {
  const t = useWebhookText();
  const { may } = useTenant();
  const [isOpen, { open, close }] = useDisclosure();
  const { verify, method = 'POST' } = trigger;
  const secret = verify.secret?.startsWith(VAULT) === true ? verify.secret.slice(VAULT.length) : null;
  return (
    <Card
      title={t('title')}
      action={
        secret !== null &&
        may('jobs:secrets:write') && (
          <Button size="compact-sm" variant="default" leftSection={<KeyRound size={14} />} onClick={open}>
            {t('setSecret')}
          </Button>
        )
      }
    >
      <Stack>
        <KeyText
          name={t('address')}
          hint={t('addressHint', {
            method,
            header: headerOf(verify),
            secret: secret ?? 'jobs.webhook_secret',
          })}
          value={hookUrl(trigger)}
        />
        <SampleCall trigger={trigger} />
      </Stack>
      {isOpen && secret !== null && <SecretForm path={secret} onClose={close} />}
    </Card>
  );
}
