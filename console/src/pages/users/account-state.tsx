import type { ReactNode } from 'react';
import type { Account } from './accounts.js';
import { useUsersText } from './text.js';
import classes from './users-page.module.css';

/** Whether the user can sign in, in words. */
export function AccountState({ disabled, email_verified: isVerified }: Account): ReactNode {
  const t = useUsersText();
  const state = disabled ? 'disabled' : isVerified ? 'verified' : 'unverified';
  return (
    <span className={classes.state} data-state={state}>
      {t(state)}
    </span>
  );
}
