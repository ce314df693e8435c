import { Alert } from '@mantine/core';
import type { Job } from '@service/client';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTriggerWords } from '../../tenant/trigger-words.js';
import classes from './job-page.module.css';
import { useJobText } from './text.js';

/** `triggers[0].columns[1]` */
const PLACE = /^triggers\[(\d+)\]\.(?:table|columns\[(\d+)\])$/;

/** What the triggers of the job no longer find. */
export function Problems({ job: { problems = [], triggers } }: { job: Job }): ReactNode {
  const t = useJobText();
  const words = useTriggerWords();
  if (problems.length === 0) return null;
  const placeOf = (path: string): string => {
    const [, index, column] = PLACE.exec(path) ?? [];
    const trigger = triggers[Number(index)];
    if (trigger?.type !== 'data') return path;
    const said = { trigger: words.of(trigger) };
    return column === undefined
      ? t('problemTable', said)
      : t('problemColumn', { ...said, column: trigger.columns?.[Number(column)] });
  };
  return (
    <Alert
      color="red"
      variant="light"
      icon={<TriangleAlert size={17} />}
      title={t('problems', { count: problems.length })}
    >
      <ul className={classes.problems}>
        {problems.map(({ path, message }) => (
          <li key={path}>
            <strong>{placeOf(path)}</strong>
            {message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
