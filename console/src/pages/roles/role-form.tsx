import { Text, TextInput } from '@mantine/core';
import type { Role } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import { problemAt } from '../../parts/problems.js';
import { PermissionPicker, permissionsOf, usePermissionChoice } from '../../tenant/permission-picker.js';
import { useOrganizationClient } from '../../tenant/tenant.js';
import { useRolesText } from './text.js';

interface RoleFormProps {
  /** The role to change; null for another one. */
  readonly role: Role | null;
  /** Members who have it. */
  readonly memberCount?: number;
  readonly onSaved: (role: Role) => void;
  readonly onClose: () => void;
}

/** Asks for the permissions of a role, and for its name where it is another one. */
export function RoleForm({ role, memberCount = 0, onSaved, onClose }: RoleFormProps): ReactNode {
  const t = useRolesText();
  const { roles } = useOrganizationClient();
  const [name, setName] = useState('');
  const [choice, setChoice] = usePermissionChoice(role?.permissions);
  const permissions = permissionsOf(choice);
  const save = useMutation({
    mutationFn: () =>
      role === null
        ? roles.create({ name: name.trim(), permissions })
        : roles.update(role.name, { permissions }),
    onSuccess: onSaved,
  });
  return (
    <FormModal
      title={role === null ? t('create') : t('editTitle', { name: role.name })}
      isOpen
      onClose={onClose}
      submit={t(role === null ? 'createSubmit' : 'save')}
      onSubmit={() => {
        save.mutate();
      }}
      isPending={save.isPending}
      isDisabled={permissions.length === 0}
      error={save.error}
      fields={['name', 'permissions']}
    >
      {role === null && (
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          required
          withAsterisk={false}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          data-autofocus
          value={name}
          error={problemAt(save.error, 'name')}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
          }}
        />
      )}
      {memberCount > 0 && <Text size="sm">{t('affected', { count: memberCount })}</Text>}
      <PermissionPicker choice={choice} onChange={setChoice} problem={problemAt(save.error, 'permissions')} />
    </FormModal>
  );
}
