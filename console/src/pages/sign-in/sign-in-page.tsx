import { Anchor, SegmentedControl, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { sessionOptions } from '../../session/session-routes.js';
import { Mark } from '../../shell/mark.js';
import { SignInForm } from './sign-in-form.js';
import type { Way } from './sign-in-form.js';
import classes from './sign-in-page.module.css';
import { useSignInText } from './text.js';

/** Stays at the address that was asked for, which is shown after the sign-in. */
export default function SignInPage(): ReactNode {
  const t = useSignInText();
  const { data: options } = useQuery({
    queryKey: ['session-options'],
    queryFn: sessionOptions,
    staleTime: Infinity,
  });
  const [chosen, setChosen] = useState<Way | null>(null);
  const way = chosen ?? (options?.setup_required === true ? 'setup' : 'account');
  const isOfProjects = options?.profile === 'project';
  const title = t(way === 'setup' ? 'setupTitle' : 'title');
  useEffect(() => {
    document.title = `${title} · Service`;
  }, [title]);
  return (
    <main className={classes.main}>
      <div className={classes.card}>
        <Mark />
        <Title order={1} mt="md">
          {title}
        </Title>
        <Text c="dimmed" size="sm" mb="lg">
          {t(way === 'setup' ? 'setupAbout' : isOfProjects ? 'aboutOperators' : 'about')}
        </Text>
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
      </div>
      {options !== undefined && <p className={classes.version}>Service {options.version}</p>}
    </main>
  );
}
