import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './figure.module.css';

interface FigureProps {
  readonly name: string;
  /** Undefined while it is loading. */
  readonly value: ReactNode;
  readonly about?: ReactNode;
  /** The address of what it counts. */
  readonly to?: string;
}

/** One number that matters. */
export function Figure({ name, value, about, to }: FigureProps): ReactNode {
  return (
    <div className={classes.figure}>
      <dt>{to === undefined ? name : <Link to={to}>{name}</Link>}</dt>
      <dd className="numbers">{value === undefined ? <Skeleton height={24} width={72} mt={4} /> : value}</dd>
      {about !== undefined && <dd className={classes.about}>{about}</dd>}
    </div>
  );
}

export function Figures({ children }: { children: ReactNode }): ReactNode {
  return <dl className={classes.figures}>{children}</dl>;
}
