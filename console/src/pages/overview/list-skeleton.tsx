import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './overview-page.module.css';

/** A list of the overview that is still to come. */
export function ListSkeleton(): ReactNode {
  return (
    <div className={classes.skeletons} aria-hidden>
      {[70, 55, 62, 48].map((width) => (
        <Skeleton key={width} height={14} width={`${width}%`} />
      ))}
    </div>
  );
}
