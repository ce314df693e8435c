import { Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { TextButton } from '../../parts/text-button.js';
import { useSessionOptions } from '../../session/use-session-options.js';
import { EntryPage } from '../../shell/entry-page.js';
import { Recovery } from './recovery.js';
import { SignInForm } from './sign-in-form.js';
import type { Way } from './sign-in-form.js';
import { useSignInText } from './text.js';
import type { SignInText } from './text.js';

type Shown = Way | 'recovery';

interface Heading {
  readonly title: SignInText;
  readonly about: SignInText;
}

function headingOf(shown: Shown, isOfProjects: boolean): Heading {
  switch (shown) {
    case 'setup':
      return { title: 'setupTitle', about: 'setupAbout' };
    case 'signUp':
      return { title: 'signUpTitle', about: 'signUpAbout' };
    case 'recovery':
      return { title: 'recoveryTitle', about: isOfProjects ? 'recoveryOperatorAbout' : 'recoveryAbout' };
    default:
      return { title: 'title', about: isOfProjects ? 'aboutOperators' : 'about' };
  }
}

/** Stays at the address that was asked for, which is shown after the sign-in. */
export default function SignInPage(): ReactNode {
  const t = useSignInText();
  const { data: options } = useSessionOptions();
  const [chosen, setChosen] = useState<Shown | null>(null);
  const shown = chosen ?? (options?.setup_required === true ? 'setup' : 'account');
  const isOfProjects = options?.profile === 'project';
  const { title, about } = headingOf(shown, isOfProjects);
  const lead = (to: Shown) => () => {
    setChosen(to);
  };
  return (
    <EntryPage
      title={t(title)}
      about={t(about)}
      footer={options === undefined ? undefined : `Service ${options.version}`}
    >
      {isOfProjects && (shown === 'account' || shown === 'serviceKey') && (
        <SegmentedControl
          fullWidth
          mb="md"
          aria-label={t('way')}
          value={shown}
          onChange={setChosen}
          data={[
            { value: 'account', label: t('account') },
            { value: 'serviceKey', label: t('serviceKey') },
          ]}
        />
      )}
      {shown === 'recovery' ? (
        <Recovery isOfOperator={isOfProjects} />
      ) : (
        <SignInForm key={shown} way={shown} minLength={options?.password_min_length} />
      )}
      <Group justify="space-between" gap="xs" mt="md">
        {shown === 'account' && <TextButton onClick={lead('recovery')}>{t('forgotten')}</TextButton>}
        {shown === 'account' && options?.sign_up === 'open' && (
          <TextButton onClick={lead('signUp')}>{t('toSignUp')}</TextButton>
        )}
        {(shown === 'setup' || shown === 'signUp') && (
          <TextButton onClick={lead('account')}>{t('hasAccount')}</TextButton>
        )}
        {shown === 'recovery' && <TextButton onClick={lead('account')}>{t('toSignIn')}</TextButton>}
      </Group>
      {shown === 'account' && options?.sign_up === 'invited' && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('invited')}
        </Text>
      )}
    </EntryPage>
  );
}
