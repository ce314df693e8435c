import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './identifier.module.css';
import { usePartsText } from './text.js';

/** A button that copies; `what` is said to screen readers. */
export function CopyAction({ value, what }: { value: string; what: string }): ReactNode {
  const t = usePartsText();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => {
        const label = copied ? t('copied') : t('copy', { what });
        return (
          <Tooltip label={label}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              className={classes.copy}
              aria-label={label}
              onClick={(event) => {
                event.preventDefault();
                event.stopPropagation();
                copy();
              }}
            >
              {copied ? <Check size={13} /> : <Copy size={13} />}
            </ActionIcon>
          </Tooltip>
        );
      }}
    </CopyButton>
  );
}

interface IdentifierProps {
  readonly value: string;
  readonly what?: string;
  readonly to?: string;
  /** Shows the end alone, which tells ids of one list apart. */
  readonly short?: boolean;
}

const SHOWN = 10;

/** An id, in a fixed-width type, with a button that copies all of it. */
export function Identifier({ value, what = 'id', to, short = false }: IdentifierProps): ReactNode {
  const text = short && value.length > SHOWN + 4 ? `…${value.slice(-SHOWN)}` : value;
  return (
    <span className={classes.identifier}>
      {to === undefined ? (
        <code title={value}>{text}</code>
      ) : (
        <Link to={to} title={value}>
          <code>{text}</code>
        </Link>
      )}
      <CopyAction value={value} what={what} />
    </span>
  );
}
