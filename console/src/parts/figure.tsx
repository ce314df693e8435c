import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './figure.module.css';

interface FigureProps {
  readonly name: string;
  /** Undefined while it is loading. */
  readonly value: ReactNode;
  readonly about?: ReactNode;
}

/** One number that matters. */
export function Figure({ name, value, about }: FigureProps): ReactNode {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd className="numbers">{value === undefined ? <Skeleton height={24} width={72} mt={4} /> : value}</dd>
      {about !== undefined && <dd className={classes.about}>{about}</dd>}
    </div>
  );
}

export function Figures({ children }: { children: ReactNode }): ReactNode {
  return <dl className={classes.figures}>{children}</dl>;
}
