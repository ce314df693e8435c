import { Unplug } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { connection } from '../parts/connection.js';
import classes from './shell.module.css';
import { useShellText } from './text.js';

/** Says, above what was read before, that the service cannot be reached now. */
export function LostConnection(): ReactNode {
  const t = useShellText();
  const isLost = useSyncExternalStore(connection.subscribe, connection.read);
  return (
    <div role="status">
      {isLost && (
        <p className={classes.lost}>
          <Unplug size={15} aria-hidden />
          {t('connectionLost')}
        </p>
      )}
    </div>
  );
}
