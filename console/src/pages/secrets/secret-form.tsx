import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { KeyText } from '../../parts/key-text.js';
import { Modal } from '../../parts/modal.js';
import { problemAt, problemBeside } from '../../parts/problems.js';
import { usePartsText } from '../../parts/text.js';
import { TextButton } from '../../parts/text-button.js';
import { useTenant } from '../../tenant/tenant.js';
import { useSecretsText } from './text.js';

interface SecretFormProps {
  /** Of the secret to set or to replace; null for one whose path the person gives. */
  readonly path: string | null;
  /** Whether there is a value to replace. */
  readonly isSet?: boolean;
  /** Makes a value, where the person may choose it. */
  readonly generate?: (() => string) | undefined;
  readonly onSaved?: (value: string) => void;
  readonly onClose: () => void;
}

/** Asks for a path and a value, which nobody can read afterwards. */
export function SecretForm({ path, isSet = true, generate, onSaved, onClose }: SecretFormProps): ReactNode {
  const t = useSecretsText();
  const parts = usePartsText();
  const { client } = useTenant();
  const [values, setValues] = useState({ path: path ?? '', value: '' });
  const [isGenerated, setGenerated] = useState(false);
  const save = useMutation({
    mutationFn: () => client.vault.set(values.path.trim(), values.value),
    onSuccess: () => {
      onSaved?.(values.value);
      onClose();
    },
  });
  const problem = problemAt(save.error, 'value') ?? problemBeside(save.error, path === null ? ['path'] : []);
  return (
    <Modal
      opened
      onClose={onClose}
      title={path === null ? t('add') : t(isSet ? 'replaceTitle' : 'setTitle', { path })}
      closeButtonProps={{ 'aria-label': parts('close') }}
      centered
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          {path === null && (
            <TextInput
              label={t('path')}
              description={t('pathHint')}
              value={values.path}
              onChange={({ currentTarget }) => {
                setValues({ ...values, path: currentTarget.value });
              }}
              spellCheck={false}
              required
              withAsterisk={false}
              data-autofocus
              error={problemAt(save.error, 'path')}
            />
          )}
          {isGenerated ? (
            <div>
              <KeyText name={t('value')} hint={t('generatedHint')} value={values.value} isFocused />
              {problem !== null && (
                <Text role="alert" size="sm" c="var(--bad)">
                  {problem}
                </Text>
              )}
            </div>
          ) : (
            <PasswordInput
              label={t('value')}
              value={values.value}
              onChange={({ currentTarget }) => {
                setValues({ ...values, value: currentTarget.value });
              }}
              autoComplete="off"
              required
              withAsterisk={false}
              error={problem}
            />
          )}
          {generate !== undefined && values.value === '' && (
            <Text size="sm" c="dimmed">
              {t('noValue')}{' '}
              <TextButton
                onClick={() => {
                  setValues({ ...values, value: generate() });
                  setGenerated(true);
                }}
              >
                {t('generate')}
              </TextButton>
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {parts('cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {parts('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
