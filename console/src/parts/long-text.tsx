import { UnstyledButton } from '@mantine/core';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import classes from './long-text.module.css';
import { usePartsText } from './text.js';

/** Longer texts, and those of more rows, are cut until somebody asks for the rest. */
const SHOWN_CHARACTERS = 480;
const SHOWN_ROWS = 8;

/** What a program wrote: as it is, in a fixed-width type, and at first not more than a few rows of it. */
export function LongText({ children }: { children: string }): ReactNode {
  const t = usePartsText();
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const isLong =
    children.length > SHOWN_CHARACTERS || children.split('\n', SHOWN_ROWS + 1).length > SHOWN_ROWS;
  return (
    <>
      <span id={id} dir="auto" className={classes.text} data-cut={(isLong && !isOpen) || undefined}>
        {children}
      </span>
      {isLong && (
        <UnstyledButton
          className={classes.more}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => {
            setIsOpen(!isOpen);
          }}
        >
          {t(isOpen ? 'less' : 'all')}
        </UnstyledButton>
      )}
    </>
  );
}
