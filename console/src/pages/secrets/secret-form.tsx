import { Button, Group, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { problemAt, problemBeside } from '../../parts/problems.js';
import { usePartsText } from '../../parts/text.js';
import { useTenant } from '../../tenant/tenant.js';
import { useSecretsText } from './text.js';

interface SecretFormProps {
  /** Of the secret to replace; null for another one. */
  readonly path: string | null;
  readonly onClose: () => void;
}

/** Asks for a path and a value, which nobody can read afterwards. */
export function SecretForm({ path, onClose }: SecretFormProps): ReactNode {
  const t = useSecretsText();
  const parts = usePartsText();
  const { client } = useTenant();
  const [values, setValues] = useState({ path: path ?? '', value: '' });
  const save = useMutation({
    mutationFn: () => client.vault.set(values.path.trim(), values.value),
    onSuccess: onClose,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={path === null ? t('add') : t('replaceTitle', { path })}
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
          <PasswordInput
            label={t('value')}
            value={values.value}
            onChange={({ currentTarget }) => {
              setValues({ ...values, value: currentTarget.value });
            }}
            autoComplete="off"
            required
            withAsterisk={false}
            error={problemAt(save.error, 'value') ?? problemBeside(save.error, path === null ? ['path'] : [])}
          />
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
