import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyAction } from './identifier.js';
import classes from './key-text.module.css';

interface KeyTextProps {
  readonly name: string;
  readonly hint?: string;
  readonly value: string;
  /** Where it takes the place of what had the focus. */
  readonly isFocused?: boolean;
}

function focus(element: HTMLElement | null): void {
  element?.focus();
}

/** A key in full, with a button that copies it. */
export function KeyText({ name, hint, value, isFocused = false }: KeyTextProps): ReactNode {
  return (
    <div>
      <Text size="sm" fw={550}>
        {name}
      </Text>
      {hint !== undefined && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
      <div className={classes.key}>
        <code ref={isFocused ? focus : undefined} aria-label={name} role="textbox" aria-readonly tabIndex={0}>
          {value}
        </code>
        <CopyAction value={value} what={name} />
      </div>
    </div>
  );
}
