import { Alert, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CircleAlert, Fingerprint } from 'lucide-react';
import type { ReactNode } from 'react';
import { isCancelled } from '../../parts/passkeys.js';
import { isCode, messageOf } from '../../parts/queries.js';
import { useSignInText } from './text.js';

interface PasskeyButtonProps {
  readonly label: string;
  readonly isMain?: boolean;
  /** Asks for the passkey, and signs in by it. */
  readonly enter: () => Promise<void>;
}

/** Signs in by a passkey; whoever changes their mind is told nothing. */
export function PasskeyButton({ label, isMain = false, enter }: PasskeyButtonProps): ReactNode {
  const t = useSignInText();
  const use = useMutation({ mutationFn: enter });
  const { error } = use;
  const problem = isCode(error, 'invalid_passkey', 'invalid_second_factor')
    ? t('invalidPasskey')
    : isCode(error, 'invalid_challenge')
      ? t('challengeOver')
      : messageOf(error);
  return (
    <>
      {error !== null && !isCancelled(error) && (
        <Alert color="red" variant="light" icon={<CircleAlert size={17} />} role="alert">
          {problem}
        </Alert>
      )}
      <Button
        fullWidth
        variant={isMain ? 'filled' : 'default'}
        leftSection={<Fingerprint size={17} />}
        loading={use.isPending}
        onClick={() => {
          use.mutate();
        }}
      >
        {label}
      </Button>
    </>
  );
}
