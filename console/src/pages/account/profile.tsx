import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { CurrentUser } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Facts } from '../../parts/facts.js';
import { Identifier } from '../../parts/identifier.js';
import { Instant } from '../../parts/instant.js';
import { Card } from '../../parts/page.js';
import { messageOf } from '../../parts/queries.js';
import { personal } from '../../tenant/tenant.js';
import { ChangeAddress } from './change-address.js';
import { ChangePassword } from './change-password.js';
import { Language } from './language.js';
import { useAccountText } from './text.js';

/** The name is a member of the metadata, in which programs keep what they like. */
function nameOf({ metadata: { name } }: CurrentUser): string {
  return typeof name === 'string' ? name : '';
}

function NameForm({ saved }: { saved: string }): ReactNode {
  const t = useAccountText();
  const [name, setName] = useState(saved);
  const wanted = name.trim();
  const save = useMutation({
    mutationFn: () => personal.auth.update({ metadata: { name: wanted === '' ? null : wanted } }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t('name')}
          autoComplete="name"
          dir="auto"
          w={{ base: '100%', xs: 320 }}
          value={name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
          }}
          error={save.error === null ? undefined : messageOf(save.error)}
        />
        <Button type="submit" variant="default" disabled={wanted === saved} loading={save.isPending}>
          {t('saveName')}
        </Button>
      </Group>
    </form>
  );
}

function Verification(): ReactNode {
  const t = useAccountText();
  const send = useMutation({ mutationFn: () => personal.auth.resendVerification() });
  return (
    <Group gap="xs">
      <Text span size="sm" c="var(--warn)">
        {t('unverified')}
      </Text>
      {send.isSuccess ? (
        <Text span size="sm" role="status">
          {t('verificationSent')}
        </Text>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          loading={send.isPending}
          onClick={() => {
            send.mutate();
          }}
        >
          {t('sendVerification')}
        </Button>
      )}
      {send.error !== null && (
        <Text span size="sm" c="var(--bad)" role="alert">
          {messageOf(send.error)}
        </Text>
      )}
    </Group>
  );
}

/** The address, with a way to change it. */
function Address({ email }: { email: string }): ReactNode {
  const t = useAccountText();
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Group gap="xs">
      <bdi>{email}</bdi>
      <Button size="compact-sm" variant="default" onClick={open}>
        {t('changeAddress')}
      </Button>
      {isOpen && <ChangeAddress onClose={close} />}
    </Group>
  );
}

export function Profile({ user }: { user: CurrentUser }): ReactNode {
  const t = useAccountText();
  const [isOpen, { open, close }] = useDisclosure();
  const [isChanged, setIsChanged] = useState(false);
  const saved = nameOf(user);
  return (
    <Card
      title={t('profile')}
      action={
        <Button size="compact-sm" variant="default" leftSection={<KeyRound size={14} />} onClick={open}>
          {t('changePassword')}
        </Button>
      }
    >
      <Stack>
        {isChanged && (
          <Text size="sm" role="status">
            {t('passwordChanged')}
          </Text>
        )}
        <NameForm key={saved} saved={saved} />
        <Language user={user} />
        <Facts
          facts={[
            { name: t('email'), value: <Address email={user.email} /> },
            { name: t('address'), value: user.email_verified ? t('verified') : <Verification /> },
            { name: t('created'), value: <Instant at={user.created_at} /> },
            { name: t('id'), value: <Identifier value={user.id} /> },
          ]}
        />
      </Stack>
      {isOpen && (
        <ChangePassword
          email={user.email}
          onClose={close}
          onChanged={() => {
            close();
            setIsChanged(true);
          }}
        />
      )}
    </Card>
  );
}
