import type { Setting } from '@service/client';
import type { ReactNode } from 'react';
import type { Column } from '../../parts/data-table.js';
import { CopyAction } from '../../parts/identifier.js';
import classes from './settings-page.module.css';
import { useSettingsText } from './text.js';

/** Whether somebody has given it another value than its default. */
export function isChanged({ source, value, default: usual }: Setting): boolean {
  return source !== 'default' && JSON.stringify(value) !== JSON.stringify(usual);
}

function isNothing(value: unknown): boolean {
  return value == null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function Value({ value }: { value: unknown }): ReactNode {
  const t = useSettingsText();
  if (isNothing(value)) return <span className={classes.quiet}>{t('notSet')}</span>;
  return <code dir="ltr">{typeof value === 'string' ? value : JSON.stringify(value)}</code>;
}

export function useSettingColumns(): readonly Column<Setting>[] {
  const t = useSettingsText();
  return [
    {
      key: 'setting',
      title: t('setting'),
      cell: ({ name, variable, description }) => (
        <>
          <span className={classes.name}>
            <code>{name.slice(name.lastIndexOf('.') + 1)}</code>
            <CopyAction value={variable} what={`${t('variable')} ${variable}`} />
          </span>
          <div className={classes.description}>{description}</div>
        </>
      ),
    },
    {
      key: 'value',
      title: t('value'),
      width: 240,
      cell: (setting) => (
        <span
          className={isChanged(setting) ? `${classes.value} ${classes.changed}` : classes.value}
          title={isChanged(setting) ? t('changed') : undefined}
        >
          <Value value={setting.value} />
        </span>
      ),
    },
    {
      key: 'default',
      title: t('default'),
      optional: true,
      width: 180,
      cell: ({ default: usual }) => (
        <span className={classes.value}>
          <Value value={usual} />
        </span>
      ),
    },
    {
      key: 'source',
      title: t('source'),
      width: 110,
      cell: ({ source }) => (
        <span className={source === 'default' ? classes.quiet : undefined}>
          {t(source === 'default' ? 'standard' : source)}
        </span>
      ),
    },
  ];
}
