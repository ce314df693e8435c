import { Select, Text } from '@mantine/core';
import type { ComboboxItem, SelectProps } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { usePartsText } from '../../parts/text.js';
import { useJobNames } from '../../tenant/job-names.js';
import { useTenant } from '../../tenant/tenant.js';
import { TypedFilter } from '../../parts/typed-filter.js';
import { useRunsText } from './text.js';

interface JobFilterProps {
  /** A job's id; empty for all jobs. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly onUnused: (isUnused: boolean) => void;
}

function matches({ value, label }: ComboboxItem, search: string): boolean {
  return `${value} ${label}`.toLowerCase().includes(search.trim().toLowerCase());
}

const filter: SelectProps['filter'] = ({ options, search }) =>
  (options as ComboboxItem[]).filter((option) => matches(option, search));

const renderOption: SelectProps['renderOption'] = ({ option: { value, label } }) => (
  <span>
    <span dir="auto">{label}</span>
    {label !== value && (
      <Text component="code" size="xs" c="dimmed" display="block">
        {value}
      </Text>
    )}
  </span>
);

/** Runs of one job, found by a part of its name or id. Jobs that are deleted are found by their whole id. */
export function JobFilter({ value, onChange, onUnused }: JobFilterProps): ReactNode {
  const t = useRunsText();
  const parts = usePartsText();
  const { may } = useTenant();
  const jobs = useJobNames();
  const [search, setSearch] = useState('');
  if (!may('jobs:jobs:read'))
    return <TypedFilter label={t('job')} value={value} onChange={onChange} onUnused={onUnused} width={190} />;
  const known = (jobs ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isDeleted = value !== '' && !known.some((job) => job.value === value);
  const typed = search.trim();
  const isUnknown = typed !== '' && typed !== value && !known.some((job) => matches(job, typed));
  const further = [...(isDeleted ? [value] : []), ...(isUnknown ? [typed] : [])];
  return (
    <Select
      aria-label={t('job')}
      placeholder={t('job')}
      searchable
      onSearchChange={setSearch}
      filter={filter}
      renderOption={renderOption}
      limit={50}
      data={[...known, ...further.map((id) => ({ value: id, label: id }))]}
      value={value === '' ? null : value}
      onChange={(id) => {
        onChange(id ?? '');
      }}
      clearable
      clearButtonProps={{ 'aria-label': parts('clear') }}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
      maxDropdownHeight={320}
      w={{ base: '100%', xs: 220 }}
    />
  );
}
