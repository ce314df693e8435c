import { Anchor, Button, PasswordInput, Text, TextInput } from '@mantine/core';
import type { Factor } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../../parts/form-modal.js';
import { hasPasskeys, isCancelled, askForPasskey } from '../../../parts/passkeys.js';
import { isCode } from '../../../parts/queries.js';
import { personal } from '../../../tenant/tenant.js';
import { useFactorsText } from './text.js';

interface AskForProofProps {
  /** Those of the account, which prove as well as the password. */
  readonly factors: readonly Factor[];
  readonly onProven: () => void;
  readonly onClose: () => void;
}

/** Asks the person to prove again who they are. */
function AskForProof({ factors, onProven, onClose }: AskForProofProps): ReactNode {
  const t = useFactorsText();
  const [isCodeWanted, setIsCodeWanted] = useState(false);
  const [text, setText] = useState('');
  const prove = useMutation({
    mutationFn: () =>
      personal.auth.factors.reauthenticate(
        isCodeWanted ? { code: text.replaceAll(/\s/g, '') } : { password: text },
      ),
    onSuccess: onProven,
  });
  const byPasskey = useMutation({
    mutationFn: async () => {
      const options = await personal.auth.factors.reauthenticationOptions();
      await personal.auth.factors.reauthenticate({ credential: await askForPasskey(options) });
    },
    onSuccess: onProven,
  });
  const hasTotp = factors.some(({ type }) => type === 'totp');
  const canUsePasskey = factors.some(({ type }) => type === 'passkey') && hasPasskeys();
  const field = {
    required: true,
    withAsterisk: false,
    'data-autofocus': true,
    value: text,
    onChange: (event: { currentTarget: { value: string } }) => {
      setText(event.currentTarget.value);
    },
  } as const;
  return (
    <FormModal
      title={t('proofTitle')}
      isOpen
      onClose={onClose}
      submit={t('goOn')}
      onSubmit={() => {
        prove.mutate();
      }}
      isPending={prove.isPending}
      error={prove.error ?? (isCancelled(byPasskey.error) ? null : byPasskey.error)}
    >
      <Text size="sm">{t('proofText')}</Text>
      {isCodeWanted ? (
        <TextInput
          label={t('factorCode')}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={64}
          {...field}
        />
      ) : (
        <PasswordInput label={t('password')} autoComplete="current-password" {...field} />
      )}
      {hasTotp && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          ta="start"
          onClick={() => {
            prove.reset();
            setText('');
            setIsCodeWanted(!isCodeWanted);
          }}
        >
          {t(isCodeWanted ? 'usePassword' : 'useCode')}
        </Anchor>
      )}
      {canUsePasskey && (
        <Button
          variant="default"
          leftSection={<Fingerprint size={14} />}
          loading={byPasskey.isPending}
          onClick={() => {
            prove.reset();
            byPasskey.mutate();
          }}
        >
          {t('usePasskey')}
        </Button>
      )}
    </FormModal>
  );
}

interface Waiting {
  readonly proven: () => void;
  readonly givenUp: () => void;
}

/** Whether the person was asked for a proof and gave none, which is no failure to tell of. */
export function isGivenUp(error: unknown): boolean {
  return isCode(error, 'reauthentication_required');
}

/**
 * `withProof` runs what may need a recent proof, and asks for one and runs it again where the service demands it.
 * `dialog` belongs on the page.
 */
export function useRecentProof(factors: readonly Factor[]): {
  readonly dialog: ReactNode;
  readonly withProof: <Result>(work: () => Promise<Result>) => Promise<Result>;
} {
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const withProof = async <Result,>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (!isCode(error, 'reauthentication_required')) throw error;
      const isProven = await new Promise<boolean>((resolve) => {
        setWaiting({
          proven: () => {
            resolve(true);
          },
          givenUp: () => {
            resolve(false);
          },
        });
      });
      setWaiting(null);
      if (!isProven) throw error;
      return await work();
    }
  };
  const dialog = waiting !== null && (
    <AskForProof factors={factors} onProven={waiting.proven} onClose={waiting.givenUp} />
  );
  return { dialog, withProof };
}
