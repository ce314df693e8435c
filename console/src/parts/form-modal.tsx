import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Modal } from './modal.js';
import { problemBeside } from './problems.js';
import { usePartsText } from './text.js';

interface FormModalProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly submit: string;
  /** On the button that does nothing, where "Cancel" could be understood as the act itself. */
  readonly dismiss?: string;
  /** There is nothing left to dismiss: what was asked for is done. */
  readonly isDone?: boolean;
  readonly onSubmit: () => void;
  readonly isPending: boolean;
  readonly error?: unknown;
  /** Names in the request whose problems the children show, each at its input. */
  readonly fields?: readonly string[];
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
}

/** Gives the focus back as the dialog goes: to what had it before, or to the page where that is gone. */
function useFocusBack(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const before = document.activeElement;
    return () => {
      setTimeout(() => {
        if (document.activeElement !== null && document.activeElement !== document.body) return;
        const isUsable = before?.isConnected === true && !before.matches(':disabled');
        const next = isUsable ? before : document.getElementById('content');
        if (next instanceof HTMLElement) next.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);
}

/** A dialog that asks for values, or for a confirmation, and shows why the service refused them. */
export function FormModal(props: FormModalProps): ReactNode {
  const { title, isOpen, onClose, submit, onSubmit, isPending, error, children } = props;
  const t = usePartsText();
  const problem = problemBeside(error, props.fields);
  useFocusBack(isOpen);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
      centered
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <Stack>
          {children}
          {problem !== null && (
            <Text role="alert" size="sm" c="var(--bad)">
              {problem}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            {props.isDone !== true && (
              <Button
                variant="default"
                onClick={onClose}
                data-autofocus={props.isDangerous === true || undefined}
              >
                {props.dismiss ?? t('cancel')}
              </Button>
            )}
            <Button
              type="submit"
              loading={isPending}
              disabled={props.isDisabled ?? false}
              {...(props.isDangerous === true ? { color: 'red.8' } : {})}
            >
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
