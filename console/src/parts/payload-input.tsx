import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { MONOSPACE } from './monospace.js';

interface PayloadInputProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Why the text is none, or what the service says of it. */
  readonly error: string | undefined;
}

/** The payload of a run as JSON, to edit in a dialog. */
export function PayloadInput({ onChange, ...shown }: PayloadInputProps): ReactNode {
  return (
    <Textarea
      {...shown}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
      autosize
      minRows={6}
      maxRows={18}
      spellCheck={false}
      styles={MONOSPACE}
      data-autofocus
    />
  );
}
