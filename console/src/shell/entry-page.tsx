import { Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Mark } from './mark.js';
import classes from './entry-page.module.css';

interface EntryPageProps {
  readonly title: string;
  readonly about: string;
  /** Below the card. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** A page before the console itself: one card, without navigation. */
export function EntryPage({ title, about, footer, children }: EntryPageProps): ReactNode {
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
          {about}
        </Text>
        {children}
      </div>
      {footer !== undefined && <p className={classes.footer}>{footer}</p>}
    </main>
  );
}
