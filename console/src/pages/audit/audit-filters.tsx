import { CloseButton, Group, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { HALF } from '../../parts/filters.js';
import type { Filters } from '../../parts/filters.js';
import { usePartsText } from '../../parts/text.js';
import { InstantFilter, TypedFilter } from '../../parts/typed-filter.js';
import type { AuditMatch } from './audit-source.js';
import classes from './audit-trail.module.css';
import { useAuditText } from './text.js';

const TEXTS = ['actor', 'action', 'target'] as const;
export const FILTERS = [...TEXTS, 'since', 'until'] as const;
export type AuditFilters = Filters<(typeof FILTERS)[number]>;

/** In the address as a length of time, so that a kept link goes with the clock. */
const SPANS_MS: Readonly<Record<string, number>> = {
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
};

/** Every action that begins with what is typed: `role` finds `role.updated`. */
function beginningOf(action: string): string {
  return action.endsWith('*') ? action : `${action}*`;
}

/** The filter of the API for what the address says. */
export function matchOf(values: AuditFilters['values']): AuditMatch {
  const span = SPANS_MS[values.since];
  return {
    ...Object.fromEntries(
      TEXTS.flatMap((name) =>
        values[name] === '' ? [] : [[name, name === 'action' ? beginningOf(values.action) : values[name]]],
      ),
    ),
    ...(span === undefined ? {} : { since: new Date(Date.now() - span).toISOString() }),
    ...(values.until === '' ? {} : { until: values.until }),
  };
}

export function AuditFilterBar({ filters }: { filters: AuditFilters }): ReactNode {
  const t = useAuditText();
  const parts = usePartsText();
  const { values, set } = filters;
  return (
    <Group gap="xs" role="search">
      {TEXTS.map((name) => (
        <TypedFilter
          key={name}
          label={t(name === 'actor' ? 'by' : name)}
          placeholder={t(`${name}Filter`)}
          value={values[name]}
          onChange={(value) => {
            set({ [name]: value });
          }}
          width={160}
        />
      ))}
      <div className={classes.times}>
        <Select
          aria-label={t('since')}
          placeholder={t('since')}
          data={[
            { value: '24h', label: t('lastDay') },
            { value: '7d', label: t('lastWeek') },
            { value: '30d', label: t('lastMonth') },
          ]}
          value={values.since === '' ? null : values.since}
          onChange={(since) => {
            set({ since });
          }}
          clearable
          clearButtonProps={{ 'aria-label': parts('clear') }}
          w={{ base: HALF, xs: 170 }}
        />
        <InstantFilter
          label={t('until')}
          value={values.until}
          onChange={(until) => {
            set({ until });
          }}
        />
      </div>
      {filters.isAny && (
        <CloseButton aria-label={parts('clear')} title={parts('clear')} onClick={filters.clear} />
      )}
    </Group>
  );
}
