import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { ServiceError } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { hasPasskeys, askForPasskey } from '../../parts/passkeys.js';
import { problemAt, problemBeside } from '../../parts/problems.js';
import { isCode } from '../../parts/queries.js';
import { session } from '../../session/session.js';
import { PasskeyButton } from './passkey-button.js';
import { SecondFactorForm } from './second-factor-form.js';
import { useSignInText } from './text.js';

type Field = 'code' | 'email' | 'password' | 'serviceKey';
type Values = Readonly<Record<Field, string>>;

/** The ways into the console: what each asks for, and what it does. */
const WAYS = {
  account: {
    fields: ['email', 'password'],
    enter: ({ email, password }: Values) => session.signIn({ email, password }),
  },
  signUp: {
    fields: ['email', 'password'],
    enter: ({ email, password }: Values) => session.signUp({ email, password }),
  },
  serviceKey: {
    fields: ['serviceKey'],
    enter: ({ serviceKey }: Values) => session.openProject(serviceKey.trim()),
  },
  setup: {
    fields: ['code', 'email', 'password'],
    enter: ({ code, email, password }: Values) => session.setUp({ code: code.trim(), email, password }),
  },
} as const satisfies Record<string, { fields: readonly Field[]; enter: (values: Values) => Promise<void> }>;

export type Way = keyof typeof WAYS;

const SUBMITS = { account: 'signIn', serviceKey: 'signIn', signUp: 'signUp', setup: 'setUp' } as const;

/** What goes above the form: what no field says. */
function useProblem(error: unknown, fields: readonly Field[]): string | null {
  const t = useSignInText();
  if (isCode(error, 'invalid_credentials')) return t('invalid');
  if (isCode(error, 'invalid_api_key')) return t('invalidKey');
  if (isCode(error, 'invalid_setup_code')) return t('invalidCode');
  return problemBeside(error, fields);
}

function valuesOf(form: HTMLFormElement): Values {
  const data = new FormData(form);
  const of = (name: Field): string => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  return { code: of('code'), email: of('email'), password: of('password'), serviceKey: of('serviceKey') };
}

interface SignInFormProps {
  readonly way: Way;
  /** Of a new password; undefined while it is not known. */
  readonly minLength: number | undefined;
}

export function SignInForm({ way, minLength }: SignInFormProps): ReactNode {
  const t = useSignInText();
  const enter = useMutation({ mutationFn: (values: Values) => WAYS[way].enter(values) });
  const problem = useProblem(enter.error, WAYS[way].fields);
  const challenge = enter.error instanceof ServiceError ? enter.error.challenge : undefined;
  const isNew = way === 'setup' || way === 'signUp';
  const common = { required: true, withAsterisk: false } as const;
  const inputs: Readonly<Record<Field, ReactNode>> = {
    code: (
      <TextInput
        key="code"
        {...common}
        label={t('code')}
        name="code"
        autoComplete="off"
        spellCheck={false}
        error={problemAt(enter.error, 'code')}
      />
    ),
    email: (
      <TextInput
        key="email"
        {...common}
        label={t('email')}
        type="email"
        name="email"
        autoComplete="username"
        error={problemAt(enter.error, 'email')}
      />
    ),
    password: (
      <PasswordInput
        key="password"
        {...common}
        label={t(way === 'setup' ? 'newPassword' : 'password')}
        {...(isNew && minLength !== undefined
          ? { description: t('passwordHint', { count: minLength }) }
          : {})}
        name="password"
        error={problemAt(enter.error, 'password')}
        autoComplete={isNew ? 'new-password' : 'current-password'}
      />
    ),
    serviceKey: (
      <PasswordInput
        key="serviceKey"
        {...common}
        label={t('serviceKey')}
        description={t('serviceKeyHint')}
        name="serviceKey"
        autoComplete="off"
      />
    ),
  };
  if (challenge !== undefined) return <SecondFactorForm challenge={challenge} onBack={enter.reset} />;
  return (
    <Stack gap="md">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          enter.mutate(valuesOf(event.currentTarget));
        }}
      >
        <Stack gap="md">
          {problem !== null && (
            <Alert color="red" variant="light" icon={<CircleAlert size={17} />} role="alert">
              {problem}
            </Alert>
          )}
          {WAYS[way].fields.map((field) => inputs[field])}
          <Button type="submit" fullWidth mt="xs" loading={enter.isPending}>
            {t(SUBMITS[way])}
          </Button>
        </Stack>
      </form>
      {way === 'account' && hasPasskeys() && (
        <>
          <Divider label={t('or')} />
          <PasskeyButton label={t('passkeySignIn')} enter={() => session.signInWithPasskey(askForPasskey)} />
        </>
      )}
    </Stack>
  );
}
