import { Alert, Button, Divider, Stack, Text, TextInput } from '@mantine/core';
import type { SignInChallenge } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { hasPasskeys, askForPasskey } from '../../parts/passkeys.js';
import { isCode, messageOf } from '../../parts/queries.js';
import { TextButton } from '../../parts/text-button.js';
import { session } from '../../session/session.js';
import { PasskeyButton } from './passkey-button.js';
import { useSignInText } from './text.js';

interface SecondFactorFormProps {
  readonly challenge: SignInChallenge;
  /** Back to the first proof: the challenge is over, or it was the wrong account. */
  readonly onBack: () => void;
}

/** Asks for a passkey, for the code of an authenticator application, or for a recovery code, as the account has them. */
export function SecondFactorForm({ challenge, onBack }: SecondFactorFormProps): ReactNode {
  const t = useSignInText();
  const { token, factors, passkey_options: passkeyOptions } = challenge;
  const canUsePasskey = passkeyOptions !== undefined && hasPasskeys();
  const hasTotp = factors.includes('totp');
  const [isRecovery, setIsRecovery] = useState(!hasTotp);
  const complete = useMutation({
    mutationFn: (text: string) =>
      session.complete(token, isRecovery ? { recovery_code: text } : { code: text }),
  });
  const { error } = complete;
  const problem = isCode(error, 'invalid_second_factor')
    ? t(isRecovery ? 'invalidRecoveryCode' : 'invalidFactor')
    : isCode(error, 'invalid_challenge')
      ? t('challengeOver')
      : messageOf(error);
  return (
    <Stack gap="md">
      {canUsePasskey && (
        <>
          <Text size="sm">{t('passkeyHint')}</Text>
          <PasskeyButton
            isMain
            label={t('usePasskey')}
            enter={async () => {
              await session.complete(token, { credential: await askForPasskey(passkeyOptions) });
            }}
          />
          <Divider label={t('or')} />
        </>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const typed = new FormData(event.currentTarget).get('factor');
          if (typeof typed === 'string') complete.mutate(typed.replaceAll(/\s/g, ''));
        }}
      >
        <Stack gap="md">
          {error !== null && (
            <Alert color="red" variant="light" icon={<CircleAlert size={17} />} role="alert">
              {problem}
            </Alert>
          )}
          <Text size="sm">{t(isRecovery ? 'recoveryCodeHint' : 'factorHint')}</Text>
          <TextInput
            key={String(isRecovery)}
            required
            withAsterisk={false}
            label={t(isRecovery ? 'recoveryCode' : 'factor')}
            name="factor"
            autoComplete={isRecovery ? 'off' : 'one-time-code'}
            inputMode={isRecovery ? 'text' : 'numeric'}
            maxLength={64}
            spellCheck={false}
            {...(canUsePasskey ? {} : { 'data-autofocus': true, autoFocus: true })}
          />
          <Button
            type="submit"
            fullWidth
            variant={canUsePasskey ? 'default' : 'filled'}
            loading={complete.isPending}
          >
            {t('signIn')}
          </Button>
          {hasTotp && (
            <TextButton
              onClick={() => {
                complete.reset();
                setIsRecovery(!isRecovery);
              }}
            >
              {t(isRecovery ? 'useFactor' : 'useRecoveryCode')}
            </TextButton>
          )}
          <TextButton onClick={onBack}>{t('back')}</TextButton>
        </Stack>
      </form>
    </Stack>
  );
}
