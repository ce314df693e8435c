import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from './form-modal.js';

interface TypedConfirmationProps {
  /** Of the dialog, and of the button that does it. */
  readonly title: string;
  readonly question: string;
  /** What is to be typed before, and the label of its input. */
  readonly expected: string;
  readonly label: string;
  readonly onClose: () => void;
  readonly act: () => Promise<unknown>;
}

/** Asks for the name of what is deleted for good, so that nobody does it by two clicks. */
export function TypedConfirmation(props: TypedConfirmationProps): ReactNode {
  const { title, question, expected, label, onClose, act } = props;
  const [typed, setTyped] = useState('');
  const acting = useMutation({ mutationFn: act });
  return (
    <FormModal
      title={title}
      isOpen
      onClose={onClose}
      submit={title}
      onSubmit={() => {
        acting.mutate();
      }}
      isPending={acting.isPending}
      error={acting.error}
      isDangerous
      isDisabled={typed !== expected}
    >
      <Text size="sm">{question}</Text>
      <TextInput
        label={label}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
        }}
      />
    </FormModal>
  );
}
