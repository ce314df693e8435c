import { Alert, Anchor, Button, Group, PasswordInput, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Secret } from '@service/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleCheck, KeyRound, Send } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { MONOSPACE } from '../../parts/monospace.js';
import { Instant } from '../../parts/instant.js';
import { KeyText } from '../../parts/key-text.js';
import { Card } from '../../parts/page.js';
import { isCode, messageOf } from '../../parts/queries.js';
import { useTenant } from '../../tenant/tenant.js';
import { SecretForm } from '../secrets/secret-form.js';
import { vaultPathOf } from '../secrets/use-secrets.js';
import { canSign, headerOf, hookUrl, secretMaker, signedHeaders } from './sample-call.js';
import type { WebhookTrigger } from './sample-call.js';
import { useWebhooks } from './use-job.js';
import { useWebhookText } from './webhook-text.js';

/** Codes of refusals that have a sentence of their own. */
const REASONS = [
  'invalid_signature',
  'invalid_json',
  'method_not_allowed',
  'job_paused',
  'limit_reached',
  'payload_too_large',
  'bad_request',
] as const;

/** What the sample call is made of. The secret is never kept. */
interface Sample {
  readonly secret: string;
  readonly body: string;
}

interface SampleCallProps {
  readonly trigger: WebhookTrigger;
  readonly sample: Sample;
  readonly onSample: (sample: Sample) => void;
}

/** Sends the call that the provider would send, signed here with the secret that the person set or pasted. */
function SampleCall({ trigger, sample, onSample }: SampleCallProps): ReactNode {
  const t = useWebhookText();
  const { client, path } = useTenant();
  const { secret, body } = sample;
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
            onSample({ ...sample, secret: currentTarget.value });
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
              onSample({ ...sample, body: currentTarget.value });
            }}
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            styles={MONOSPACE}
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

/** Whether the vault has the secret, which tells nobody its value. */
function SecretState({ secret, path }: { secret: Secret | null | undefined; path: string }): ReactNode {
  const t = useWebhookText();
  if (secret === undefined) return null;
  if (secret === null)
    return (
      <Alert color="yellow" variant="default" icon={<KeyRound size={17} />}>
        {t('missing', { path })}
      </Alert>
    );
  return (
    <Text size="sm" c="dimmed">
      {t('present', { path })} <Instant at={secret.updated_at} relative />
    </Text>
  );
}

/** Why a call was refused last, which the page of the provider may not tell. */
function LastRefusal({ jobId, hook }: { jobId: string; hook: string }): ReactNode {
  const t = useWebhookText();
  const { data = [] } = useWebhooks(jobId);
  const state = data.find(({ path }) => path === hook);
  if (state?.refused_at == null || state.refused_code === null) return null;
  const { method, refused_at, refused_code } = state;
  const reason = REASONS.find((each) => each === refused_code);
  return (
    <Text size="sm" c="dimmed">
      {t('refused')} <Instant at={refused_at} relative />
      {': '}
      <Text span c="var(--bad)">
        {reason === undefined ? refused_code : t(reason, { method })}
      </Text>
    </Text>
  );
}

/** Null where the vault has none; undefined while that is not known, and for those who may not know it. */
function useSecret(path: string | null) {
  const { slug, client, may } = useTenant();
  return useQuery<Secret | null>({
    queryKey: ['secret', slug, path],
    queryFn: async ({ signal }) => {
      try {
        return await client.vault.get(path ?? '', { signal });
      } catch (error) {
        if (isCode(error, 'secret_not_found')) return null;
        throw error;
      }
    },
    enabled: path !== null && may('jobs:secrets:read'),
  });
}

/** A hook of the job: its address for the provider, its secret, and a call that shows that it works. */
export function Webhook({ jobId, trigger }: { jobId: string; trigger: WebhookTrigger }): ReactNode {
  const t = useWebhookText();
  const { may } = useTenant();
  const [isOpen, { open, close }] = useDisclosure();
  const [sample, setSample] = useState<Sample>({ secret: '', body: '{\n  "sample": true\n}' });
  const { verify, method = 'POST' } = trigger;
  const path = vaultPathOf(verify.secret);
  const { data: secret, error, isLoading } = useSecret(path);
  return (
    <Card
      title={t('title')}
      action={
        path !== null &&
        may('jobs:secrets:write') && (
          <Button
            size="compact-sm"
            variant={secret === null ? 'filled' : 'default'}
            disabled={isLoading}
            leftSection={<KeyRound size={14} />}
            onClick={open}
          >
            {t(secret == null ? 'setSecret' : 'replaceSecret')}
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
            secret: path ?? 'jobs.webhook_secret',
          })}
          value={hookUrl(trigger)}
        />
        {path !== null && <SecretState secret={secret} path={path} />}
        {error !== null && (
          <Text role="alert" size="sm" c="var(--bad)">
            {messageOf(error)}
          </Text>
        )}
        <LastRefusal jobId={jobId} hook={trigger.path} />
        {secret !== null && !isLoading && (
          <SampleCall trigger={trigger} sample={sample} onSample={setSample} />
        )}
      </Stack>
      {isOpen && path !== null && (
        <SecretForm
          path={path}
          isSet={secret != null}
          generate={secretMaker(verify)}
          onSaved={(value) => {
            setSample({ ...sample, secret: value });
          }}
          onClose={close}
        />
      )}
    </Card>
  );
}
