import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyAction } from './identifier.js';
import classes from './key-text.module.css';

interface KeyTextProps {
  readonly name: string;
  readonly hint?: string;
  readonly value: string;
}

/** A key in full, with a button that copies it. */
export function KeyText({ name, hint, value }: KeyTextProps): ReactNode {
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
        <code aria-label={name} role="textbox" aria-readonly tabIndex={0}>
          {value}
        </code>
        <CopyAction value={value} what={name} />
      </div>
    </div>
  );
}
