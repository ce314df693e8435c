import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ProjectClient } from '@service/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import { Card } from '../../parts/page.js';
import { useUsersText } from './text.js';

interface SignInSettingsProps {
  readonly project: ProjectClient;
  readonly slug: string;
  readonly isReadOnly: boolean;
}

/** What a project demands of sign-ins, and where the passkeys of its users work. */
export function SignInSettings({ project, slug, isReadOnly }: SignInSettingsProps): ReactNode {
  const t = useUsersText();
  const [isOpen, { open, close }] = useDisclosure();
  /** What the dialog asks for. It stays so while the dialog closes, though the setting has changed by then. */
  const [isAsked, setIsAsked] = useState(true);
  const { data } = useQuery({
    queryKey: ['sign-in-settings', slug],
    queryFn: ({ signal }) => project.auth.signInSettings({ signal }),
  });
  const set = useMutation({
    mutationFn: (isRequired: boolean) =>
      project.auth.changeSignInSettings({ require_second_factor: isRequired }),
    onSuccess: close,
  });
  if (data === undefined) return null;
  const { require_second_factor: isRequired, passkeys } = data;
  const change = (toRequired: boolean): string => t(toRequired ? 'startFactorPolicy' : 'stopFactorPolicy');
  const ask = (): void => {
    setIsAsked(!isRequired);
    open();
  };
  return (
    <Card
      title={t('signIn')}
      action={
        !isReadOnly && (
          <Button size="compact-sm" variant="default" onClick={ask}>
            {change(!isRequired)}
          </Button>
        )
      }
    >
      <Text size="sm">{t(isRequired ? 'factorPolicyOn' : 'factorPolicyOff')}</Text>
      <Text size="sm" c="dimmed" mt={4}>
        {t('passkeysOf', { domain: passkeys.rp_id, origins: passkeys.origins.join(', ') })}
      </Text>
      <FormModal
        title={t('signIn')}
        isOpen={isOpen}
        onClose={() => {
          set.reset();
          close();
        }}
        submit={change(isAsked)}
        onSubmit={() => {
          set.mutate(isAsked);
        }}
        isPending={set.isPending}
        error={set.error}
      >
        <Text size="sm">{t(isAsked ? 'startFactorPolicyText' : 'stopFactorPolicyText')}</Text>
      </FormModal>
    </Card>
  );
}
