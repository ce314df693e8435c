import { Skeleton, Stack, Title } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { BreakableText } from './breakable-text.js';
import classes from './page.module.css';

interface PageProps {
  readonly title: string;
  /** In place of the title on screen, where it is more than text. */
  readonly heading?: ReactNode;
  /** Pages above this one. */
  readonly above?: readonly { readonly title: string; readonly to: string }[];
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** What every page has: its title, also in the tab, the way up, and what can be done here. */
export function Page({ title, heading, above = [], about, actions, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · Service`;
  }, [title]);
  return (
    <Stack gap="lg" className={classes.page}>
      <header className={classes.header}>
        <div className={classes.titles}>
          {above.length > 0 && (
            <nav aria-label="Breadcrumb" className={classes.above}>
              {above.map((page) => (
                <span key={page.to}>
                  <Link to={page.to}>{page.title}</Link>
                  <ChevronRight size={13} aria-hidden />
                </span>
              ))}
            </nav>
          )}
          <Title order={1} {...(heading === undefined ? { dir: 'auto' } : {})}>
            {heading ?? <BreakableText>{title}</BreakableText>}
          </Title>
          {about !== undefined && <div className={classes.about}>{about}</div>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </Stack>
  );
}

export function PageSkeleton(): ReactNode {
  return (
    <Stack gap="lg" className={classes.page} aria-busy>
      <Skeleton height={26} width={180} />
      <Skeleton height={120} radius="lg" />
      <Skeleton height={280} radius="lg" />
    </Stack>
  );
}

interface CardProps {
  readonly title?: ReactNode;
  readonly action?: ReactNode;
  /** The content reaches the edges, as a table's does. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A framed part of a page. */
export function Card({ title, action, flush = false, children }: CardProps): ReactNode {
  return (
    <section className={classes.card}>
      {(title !== undefined || action !== undefined) && (
        <header className={classes.cardHeader}>
          {title !== undefined && <Title order={2}>{title}</Title>}
          {action}
        </header>
      )}
      <div className={flush ? undefined : classes.cardBody}>{children}</div>
    </section>
  );
}
