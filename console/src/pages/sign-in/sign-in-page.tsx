import { Anchor, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useSessionOptions } from '../../session/use-session-options.js';
import { EntryPage } from '../../shell/entry-page.js';
import { SignInForm } from './sign-in-form.js';
import type { Way } from './sign-in-form.js';
import { useSignInText } from './text.js';

/** Stays at the address that was asked for, which is shown after the sign-in. */
export default function SignInPage(): ReactNode {
  const t = useSignInText();
  const { data: options } = useSessionOptions();
  const [chosen, setChosen] = useState<Way | null>(null);
  const way = chosen ?? (options?.setup_required === true ? 'setup' : 'account');
  const isOfProjects = options?.profile === 'project';
  return (
    <EntryPage
      title={t(way === 'setup' ? 'setupTitle' : 'title')}
      about={t(way === 'setup' ? 'setupAbout' : isOfProjects ? 'aboutOperators' : 'about')}
      footer={options === undefined ? undefined : `Service ${options.version}`}
    >
      {isOfProjects && way !== 'setup' && (
        <SegmentedControl
          fullWidth
          mb="md"
          aria-label={t('way')}
          value={way}
          onChange={setChosen}
          data={[
            { value: 'account', label: t('account') },
            { value: 'serviceKey', label: t('serviceKey') },
          ]}
        />
      )}
      <SignInForm key={way} way={way} />
      {way === 'setup' && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          mt="md"
          onClick={() => {
            setChosen('account');
          }}
        >
          {t('hasAccount')}
        </Anchor>
      )}
    </EntryPage>
  );
}
