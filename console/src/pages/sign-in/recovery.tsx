import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CircleAlert, MailCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageOf } from '../../parts/queries.js';
import { personal } from '../../tenant/tenant.js';
import { useSignInText } from './text.js';

/** Asks for the mail that leads to a new password. Whether there is such an account, nobody is told. */
function RecoveryForm(): ReactNode {
  const t = useSignInText();
  const recover = useMutation({ mutationFn: (email: string) => personal.auth.recover(email) });
  if (recover.isSuccess)
    return (
      <Alert variant="light" icon={<MailCheck size={17} />} role="status" title={t('recoverySent')}>
        {t('recoverySentText')}
      </Alert>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const email = new FormData(event.currentTarget).get('email');
        if (typeof email === 'string') recover.mutate(email);
      }}
    >
      <Stack gap="md">
        {recover.error !== null && (
          <Alert color="red" variant="light" icon={<CircleAlert size={17} />} role="alert">
            {messageOf(recover.error)}
          </Alert>
        )}
        <TextInput
          required
          withAsterisk={false}
          label={t('email')}
          type="email"
          name="email"
          autoComplete="username"
        />
        <Button type="submit" fullWidth mt="xs" loading={recover.isPending}>
          {t('sendRecovery')}
        </Button>
      </Stack>
    </form>
  );
}

/** @param props.isOfOperator accounts of operators beside projects have no mail; who runs the machine makes them anew */
export function Recovery({ isOfOperator }: { isOfOperator: boolean }): ReactNode {
  const t = useSignInText();
  if (!isOfOperator) return <RecoveryForm />;
  return (
    <Stack gap="xs">
      <Text size="sm">{t('operatorRecovery')}</Text>
      <Text component="code" size="sm" style={{ overflowWrap: 'anywhere' }}>
        npx servicectl operators remove EMAIL
        <br />
        npx servicectl operators add EMAIL
      </Text>
    </Stack>
  );
}
