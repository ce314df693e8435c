import type { RunStatus } from '@service/client';
import type { ReactNode } from 'react';
import classes from './run-status.module.css';
import { usePartsText } from './text.js';

/** Shapes as well as colours: a ring waits, a half disc runs, an arrow returns, a check, a cross, a bar. */
const SHAPES: Readonly<Record<RunStatus, ReactNode>> = {
  queued: <circle cx="6" cy="6" r="4" />,
  running: (
    <>
      <circle cx="6" cy="6" r="4" opacity="0.35" />
      <path d="M6 2a4 4 0 0 1 4 4" />
    </>
  ),
  retrying: <path d="M9.6 4.2A4 4 0 1 0 10 7M10 1.8v2.6H7.4" />,
  completed: <path d="M2.2 6.4 4.8 9l5-6" />,
  failed: <path d="m2.8 2.8 6.4 6.4M9.2 2.8 2.8 9.2" />,
  cancelled: <path d="M2.2 6h7.6" />,
};

export function useStatusNames(): Readonly<Record<RunStatus, string>> {
  const t = usePartsText();
  return {
    queued: t('queued'),
    running: t('running'),
    retrying: t('retrying'),
    completed: t('completed'),
    failed: t('failedStatus'),
    cancelled: t('cancelled'),
  };
}

export function StatusIcon({ status }: { status: RunStatus }): ReactNode {
  return (
    <svg className={classes.icon} data-status={status} viewBox="0 0 12 12" width="12" height="12" aria-hidden>
      {SHAPES[status]}
    </svg>
  );
}

/** A badge that looks like the one of runs in a status, with other words. */
export function StatusBadge({ look, children }: { look: RunStatus; children: ReactNode }): ReactNode {
  return (
    <span className={classes.badge} data-status={look}>
      <StatusIcon status={look} />
      <span className={classes.words}>{children}</span>
    </span>
  );
}

export function RunStatusBadge({ status }: { status: RunStatus }): ReactNode {
  return <StatusBadge look={status}>{useStatusNames()[status]}</StatusBadge>;
}
