import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { syntaxProblemOf } from './exact-json.js';
import { MONOSPACE } from './monospace.js';
import { usePartsText } from './text.js';

interface PayloadInputProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Why the text is none, or what the service says of it. */
  readonly error: string | undefined;
}

/** The payload of a run as JSON, to edit in a dialog. */
export function PayloadInput({ onChange, error, ...shown }: PayloadInputProps): ReactNode {
  const t = usePartsText();
  const problem = syntaxProblemOf(shown.value);
  return (
    <Textarea
      {...shown}
      error={problem === null ? error : t('notJson', { problem })}
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
