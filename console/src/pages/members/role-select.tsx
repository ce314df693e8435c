import { Select } from '@mantine/core';
import type { SelectProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRoles } from '../roles/use-roles.js';

interface RoleSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  readonly value: string;
  readonly onChange: (role: string) => void;
}

/** Chooses one of the organization's roles. */
export function RoleSelect({ value, onChange, ...props }: RoleSelectProps): ReactNode {
  const { data } = useRoles();
  const names = data?.map(({ name }) => name) ?? [];
  return (
    <Select
      {...props}
      data={names.includes(value) || value === '' ? names : [value, ...names]}
      value={value === '' ? null : value}
      onChange={(role) => {
        if (role !== null && role !== value) onChange(role);
      }}
      allowDeselect={false}
    />
  );
}
