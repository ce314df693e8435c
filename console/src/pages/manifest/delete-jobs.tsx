import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import classes from './changes.module.css';
import { useManifestText } from './text.js';

/** How many are named; the table behind the dialog has the others. */
const NAMED = 10;

interface DeleteJobsProps {
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onDeploy: () => void;
}

/** Asks once more before a manifest that deletes jobs is deployed. */
export function DeleteJobs({ ids, onClose, onDeploy }: DeleteJobsProps): ReactNode {
  const t = useManifestText();
  const count = ids.length;
  return (
    <FormModal
      title={t('deleteTitle', { count })}
      isOpen
      onClose={onClose}
      submit={t('deleteAndDeploy')}
      onSubmit={onDeploy}
      isPending={false}
      isDangerous
    >
      <Text size="sm">{t('deleteQuestion', { count })}</Text>
      <ul className={classes.ids}>
        {ids.slice(0, NAMED).map((id) => (
          <li key={id}>
            <code>{id}</code>
          </li>
        ))}
        {count > NAMED && <li>{t('deleteMore', { count: count - NAMED })}</li>}
      </ul>
    </FormModal>
  );
}
