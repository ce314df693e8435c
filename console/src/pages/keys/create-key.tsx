import { Select, TextInput } from '@mantine/core';
import type { CreatedApiKey } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import { problemAt } from '../../parts/problems.js';
import { PermissionPicker, permissionsOf, usePermissionChoice } from '../../tenant/permission-picker.js';
import { useOrganizationClient } from '../../tenant/tenant.js';
import { useKeysText } from './text.js';

const DAY_MS = 86_400_000;
const LASTS = { month: 30, quarter: 90, year: 365, always: null } as const;
type Lasts = keyof typeof LASTS;

interface CreateKeyProps {
  readonly onCreated: (key: CreatedApiKey) => void;
  readonly onClose: () => void;
}

export function CreateKey({ onCreated, onClose }: CreateKeyProps): ReactNode {
  const t = useKeysText();
  const { apiKeys } = useOrganizationClient();
  const [name, setName] = useState('');
  const [lasts, setLasts] = useState<Lasts>('quarter');
  const [choice, setChoice] = usePermissionChoice();
  const permissions = permissionsOf(choice);
  const create = useMutation({
    mutationFn: () => {
      const days = LASTS[lasts];
      const expiry = days === null ? {} : { expires_at: new Date(Date.now() + days * DAY_MS).toISOString() };
      return apiKeys.create({ name: name.trim(), permissions, ...expiry });
    },
    onSuccess: onCreated,
  });
  return (
    <FormModal
      title={t('create')}
      isOpen
      onClose={onClose}
      submit={t('createSubmit')}
      onSubmit={() => {
        create.mutate();
      }}
      isPending={create.isPending}
      isDisabled={permissions.length === 0 || name.trim() === ''}
      error={create.error}
      fields={['name', 'permissions']}
    >
      <TextInput
        label={t('name')}
        description={t('nameHint')}
        required
        withAsterisk={false}
        autoComplete="off"
        dir="auto"
        data-autofocus
        value={name}
        error={problemAt(create.error, 'name')}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value);
        }}
      />
      <Select
        label={t('lasts')}
        data={(Object.keys(LASTS) as Lasts[]).map((value) => ({ value, label: t(value) }))}
        value={lasts}
        allowDeselect={false}
        onChange={(value) => {
          if (value !== null) setLasts(value);
        }}
      />
      <PermissionPicker
        choice={choice}
        onChange={setChoice}
        problem={problemAt(create.error, 'permissions')}
      />
    </FormModal>
  );
}
