import { Button, CloseButton, Group, Select } from '@mantine/core';
import { ListFilter } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { ReactNode } from 'react';
import { objectOf } from '../../parts/exact-json.js';
import { HALF } from '../../parts/filters.js';
import { usePartsText } from '../../parts/text.js';
import { InstantFilter, TypedFilter } from '../../parts/typed-filter.js';
import { JobFilter } from './job-filter.js';
import { MIDNIGHT, secondsOf } from './run-filter.js';
import type { RunFilters } from './run-filter.js';
import { StatusFilter } from './status-filter.js';
import { useRunsText } from './text.js';

/** Behind a button, until one of them is used. */
const FURTHER = ['error', 'until', 'handler', 'parent', 'duration', 'payload'] as const;
const TRIGGERS = ['manual', 'cron', 'webhook', 'data', 'event'] as const;

/** Tells whether any of several fields is unused. @returns for a field's name, always the same function for it to call */
function useUnused(tell: (isAny: boolean) => void): (name: string) => (isUnused: boolean) => void {
  const [{ names, listeners }] = useState(() => ({
    names: new Set<string>(),
    listeners: new Map<string, (isUnused: boolean) => void>(),
  }));
  return useCallback(
    (name) => {
      const known = listeners.get(name);
      if (known !== undefined) return known;
      const listener = (isUnused: boolean): void => {
        if (isUnused) names.add(name);
        else names.delete(name);
        tell(names.size > 0);
      };
      listeners.set(name, listener);
      return listener;
    },
    [names, listeners, tell],
  );
}

interface FurtherFiltersProps {
  readonly filters: RunFilters;
  readonly unusedOf: (name: string) => (isUnused: boolean) => void;
}

/** The filters that are needed less often. */
function FurtherFilters({ filters: { values, set }, unusedOf }: FurtherFiltersProps): ReactNode {
  const t = useRunsText();
  return (
    <>
      <TypedFilter
        label={t('error')}
        value={values.error}
        onUnused={unusedOf('error')}
        onChange={(error) => {
          set({ error });
        }}
        width={160}
      />
      <InstantFilter
        label={t('until')}
        value={values.until}
        onUnused={unusedOf('until')}
        onChange={(until) => {
          set({ until });
        }}
      />
      <TypedFilter
        label={t('handler')}
        value={values.handler}
        onUnused={unusedOf('handler')}
        onChange={(handler) => {
          set({ handler });
        }}
        width={190}
      />
      <TypedFilter
        label={t('parent')}
        value={values.parent}
        onUnused={unusedOf('parent')}
        onChange={(parent) => {
          set({ parent });
        }}
        width={190}
      />
      <TypedFilter
        label={t('atLeast')}
        placeholder={t('atLeastExample')}
        value={values.duration}
        onUnused={unusedOf('duration')}
        onChange={(duration) => {
          set({ duration });
        }}
        parse={(text) => (secondsOf(text) === null ? null : text)}
        problem={t('notSeconds')}
        width={160}
      />
      <TypedFilter
        label={t('payload')}
        placeholder={t('payloadExample')}
        value={values.payload}
        onUnused={unusedOf('payload')}
        onChange={(payload) => {
          set({ payload });
        }}
        parse={(text) => (objectOf(text) === null ? null : text)}
        problem={t('notJson')}
        width={250}
      />
    </>
  );
}

interface RunFilterBarProps {
  readonly filters: RunFilters;
  /** Told whether each field that is typed in has what the list shows. */
  readonly onUnused: (isUnused: boolean) => void;
}

export function RunFilterBar({ filters, onUnused }: RunFilterBarProps): ReactNode {
  const t = useRunsText();
  const parts = usePartsText();
  const { values, set } = filters;
  const used = FURTHER.filter((name) => values[name] !== '').length;
  const [isOpen, setIsOpen] = useState(used > 0);
  const unusedOf = useUnused(onUnused);
  const choice = (name: 'trigger' | 'since', data: { value: string; label: string }[]): ReactNode => (
    <Select
      aria-label={t(name)}
      placeholder={t(name)}
      data={data}
      value={values[name] === '' ? null : values[name]}
      onChange={(value) => {
        set({ [name]: value });
      }}
      clearable
      clearButtonProps={{ 'aria-label': parts('clear') }}
      w={{ base: HALF, xs: 160 }}
    />
  );
  return (
    <Group gap="xs" role="search">
      <JobFilter
        value={values.job}
        onUnused={unusedOf('job')}
        onChange={(job) => {
          set({ job });
        }}
      />
      <StatusFilter
        value={values.status}
        onChange={(change) => {
          set((valueOf) => ({ status: change(valueOf('status')) }));
        }}
      />
      {choice(
        'trigger',
        TRIGGERS.map((value) => ({ value, label: t(value) })),
      )}
      {choice('since', [
        { value: '1h', label: t('lastHour') },
        { value: MIDNIGHT, label: t('midnight') },
        { value: '24h', label: t('lastDay') },
        { value: '7d', label: t('lastWeek') },
      ])}
      {isOpen ? (
        <FurtherFilters filters={filters} unusedOf={unusedOf} />
      ) : (
        <Button
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          leftSection={<ListFilter size={15} />}
          onClick={() => {
            setIsOpen(true);
          }}
        >
          {t('moreFilters')}
        </Button>
      )}
      {filters.isAny && (
        <CloseButton aria-label={parts('clear')} title={parts('clear')} onClick={filters.clear} />
      )}
    </Group>
  );
}
