import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleAlert, Fingerprint, ShieldPlus } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { addressWithPasskeys, hasPasskeys } from '../../parts/passkeys.js';
import { messageOf } from '../../parts/queries.js';
import { TextButton } from '../../parts/text-button.js';
import { session } from '../../session/session.js';
import { useAccess } from '../../session/use-session.js';
import { EntryPage } from '../../shell/entry-page.js';
import { personal } from '../../tenant/tenant.js';
import { AddFactor } from '../account/factors/add-factor.js';
import { AddPasskey } from '../account/factors/add-passkey.js';
import { useRecentProof } from '../account/factors/recent-proof.js';
import { RecoveryCodes } from '../account/factors/recovery-codes.js';
import { useFactorsText } from '../account/factors/text.js';
import { useFirstFactorText } from './text.js';

interface FirstFactorPageProps {
  /** Those that the first factor came with, until the person has kept them. */
  readonly codes: readonly string[];
  readonly onCodes: (codes: readonly string[]) => void;
}

/** The part of an operator's sign-in in which the account gets its first factor. */
export default function FirstFactorPage({ codes, onCodes }: FirstFactorPageProps): ReactNode {
  const t = useFirstFactorText();
  const words = useFactorsText();
  const access = useAccess();
  const [adding, setAdding] = useState<'passkey' | 'authenticator' | null>(null);
  const factors = useQuery({
    queryKey: ['account', 'factors'],
    queryFn: ({ signal }) => personal.auth.factors.list({ signal }),
  });
  const { dialog, withProof } = useRecentProof(factors.data ?? []);
  const goOn = useMutation({ mutationFn: () => session.renewRights() });
  const signOut = useMutation({ mutationFn: () => session.signOut() });
  const error = goOn.error ?? signOut.error ?? factors.error;
  const better = addressWithPasskeys();
  const isAdded = (factors.data?.length ?? 0) > 0;
  const common = {
    isFirst: true,
    withProof,
    onClose: () => {
      setAdding(null);
    },
    onAdded: (shown: readonly string[]) => {
      setAdding(null);
      onCodes(shown);
    },
  };
  return (
    <EntryPage
      title={t('title')}
      about={t('about', { email: access.kind === 'account' ? access.user.email : '' })}
    >
      <Stack gap="md">
        {error !== null && (
          <Alert color="red" variant="light" icon={<CircleAlert size={17} />} role="alert">
            {messageOf(error)}
          </Alert>
        )}
        {isAdded ? (
          <Button
            fullWidth
            loading={goOn.isPending}
            onClick={() => {
              goOn.mutate();
            }}
          >
            {t('goOn')}
          </Button>
        ) : (
          <>
            <Text size="sm">{t(hasPasskeys() ? 'how' : 'howWithout')}</Text>
            {!hasPasskeys() && better !== null && (
              <Text size="sm" c="dimmed">
                {t('passkeysAt')}{' '}
                <Anchor href={better} size="sm">
                  {better}
                </Anchor>
              </Text>
            )}
            {hasPasskeys() && (
              <Button
                fullWidth
                leftSection={<Fingerprint size={17} />}
                onClick={() => {
                  setAdding('passkey');
                }}
              >
                {words('addPasskey')}
              </Button>
            )}
            <Button
              fullWidth
              variant={hasPasskeys() ? 'default' : 'filled'}
              leftSection={<ShieldPlus size={17} />}
              onClick={() => {
                setAdding('authenticator');
              }}
            >
              {words('add')}
            </Button>
          </>
        )}
        <TextButton
          onClick={() => {
            signOut.mutate();
          }}
        >
          {t('signOut')}
        </TextButton>
      </Stack>
      {adding === 'authenticator' && <AddFactor {...common} />}
      {adding === 'passkey' && <AddPasskey {...common} />}
      {codes.length > 0 && (
        <RecoveryCodes
          codes={codes}
          onClose={() => {
            goOn.mutate(undefined, {
              onSettled: () => {
                onCodes([]);
              },
            });
          }}
        />
      )}
      {dialog}
    </EntryPage>
  );
}
