import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import type { Mail, Outbox } from './outbox.js';
import { useOutboxText } from './text.js';

interface Sending {
  /** The button of a mail, or who can send it again. */
  readonly buttonOf: (mail: Mail) => ReactNode;
  /** The question, and why the service refused. */
  readonly dialog: ReactNode;
}

/** Makes a mail due that waits, or sends a finished one once more, after a question. */
export function useSendAgain(outbox: Outbox): Sending {
  const t = useOutboxText();
  const [asked, setAsked] = useState<Mail | null>(null);
  const close = (): void => {
    setAsked(null);
  };
  const retry = useMutation({
    mutationFn: ({ id }: Mail) => outbox.retry(id),
    onSuccess: close,
    onError: (_error, mail) => {
      setAsked(mail);
    },
  });
  const isRetried = ({ id }: Mail): boolean => retry.isPending && retry.variables.id === id;
  return {
    buttonOf: (mail) =>
      mail.state !== 'waiting' && (mail.kind === 'invitation' || mail.kind === 'email_change') ? (
        <Text size="xs" c="dimmed">
          {t(
            mail.kind === 'email_change'
              ? 'askAgain'
              : mail.project_id === null
                ? 'inviteAgain'
                : 'recoverInstead',
          )}
        </Text>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<RotateCw size={13} />}
          loading={isRetried(mail) && asked === null}
          onClick={() => {
            retry.reset();
            if (mail.state === 'waiting') retry.mutate(mail);
            else setAsked(mail);
          }}
        >
          {t(mail.state === 'waiting' ? 'sendNow' : 'sendAgain')}
        </Button>
      ),
    dialog: (
      <FormModal
        title={t('sendAgain')}
        isOpen={asked !== null}
        onClose={close}
        submit={t('sendAgain')}
        onSubmit={() => {
          if (asked !== null) retry.mutate(asked);
        }}
        isPending={retry.isPending}
        error={retry.error}
      >
        <Text size="sm">{t('againQuestion', { to: asked?.to ?? '' })}</Text>
      </FormModal>
    ),
  };
}
