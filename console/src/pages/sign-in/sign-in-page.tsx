import { Alert, Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { isCode, messageOf } from '../../parts/queries.js';
import { session } from '../../session/session.js';
import { sessionOptions } from '../../session/session-routes.js';
import { Mark } from '../../shell/mark.js';
import classes from './sign-in-page.module.css';
import { useSignInText } from './text.js';

function textOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}

/** Stays at the address that was asked for, which is shown after the sign-in. */
export default function SignInPage(): ReactNode {
  const t = useSignInText();
  const title = t('title');
  const options = useQuery({ queryKey: ['session-options'], queryFn: sessionOptions, staleTime: Infinity });
  const signIn = useMutation({
    mutationFn: (credentials: { email: string; password: string }) => session.signIn(credentials),
  });
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
          {t(options.data?.profile === 'project' ? 'aboutOperators' : 'about')}
        </Text>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const fields = new FormData(event.currentTarget);
            signIn.mutate({ email: textOf(fields, 'email'), password: textOf(fields, 'password') });
          }}
        >
          <Stack gap="md">
            {signIn.error !== null && (
              <Alert color="red" variant="light" icon={<CircleAlert size={17} />} role="alert">
                {isCode(signIn.error, 'invalid_credentials') ? t('invalid') : messageOf(signIn.error)}
              </Alert>
            )}
            <TextInput
              label={t('email')}
              type="email"
              name="email"
              autoComplete="username"
              required
              withAsterisk={false}
              data-autofocus
            />
            <PasswordInput
              label={t('password')}
              name="password"
              autoComplete="current-password"
              required
              withAsterisk={false}
            />
            <Button type="submit" fullWidth mt="xs" loading={signIn.isPending}>
              {t('signIn')}
            </Button>
          </Stack>
        </form>
      </div>
      {options.data !== undefined && <p className={classes.version}>Service {options.data.version}</p>}
    </main>
  );
}
