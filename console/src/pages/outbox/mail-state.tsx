import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Instant } from '../../parts/instant.js';
import { StatusBadge } from '../../parts/run-status.js';
import type { Mail } from './outbox.js';
import classes from './outbox.module.css';
import { useOutboxText } from './text.js';

const LOOKS = { waiting: 'queued', sent: 'completed', failed: 'failed' } as const;
/** Failures in which the mail server said nothing. */
const KNOWN = ['EAUTH', 'ECONNECTION', 'ESOCKET', 'EDNS', 'ETIMEDOUT', 'ETLS'] as const;

/** What the mail server answered, or why it did not. */
function useAnswer({ answer, error, attempts }: Mail): string | null {
  const t = useOutboxText();
  if (answer !== null) return answer;
  if (error === null) return attempts === 0 ? null : t('unanswered');
  if (error === 'not configured') return t('unconfigured');
  const known = error === 'timeout' ? 'ETIMEDOUT' : KNOWN.find((code) => code === error);
  return known === undefined ? error : t(known);
}

/** How far a mail has come, with the words of the mail server below. */
export function MailState({ mail }: { mail: Mail }): ReactNode {
  const t = useOutboxText();
  const answer = useAnswer(mail);
  return (
    <div className={classes.state}>
      <StatusBadge look={LOOKS[mail.state]}>{t(mail.state)}</StatusBadge>
      {answer !== null && (
        <Text size="xs" className={mail.answer === null ? undefined : classes.answer} dir="ltr">
          {answer}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {t('attempts', { count: mail.attempts })} ·{' '}
        {mail.state !== 'waiting' ? (
          <Instant at={mail.finished_at} />
        ) : mail.next_attempt_at === null ? (
          t('sending')
        ) : (
          <>
            {t('next')} <Instant at={mail.next_attempt_at} relative />
          </>
        )}
      </Text>
    </div>
  );
}
