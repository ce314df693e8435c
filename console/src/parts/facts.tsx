import type { ReactNode } from 'react';
import classes from './facts.module.css';

export interface Fact {
  readonly name: string;
  /** Where several have the same name. */
  readonly key?: string;
  readonly value: ReactNode;
  /** Whether the value needs a row of its own. */
  readonly isLong?: boolean;
}

/** Names and values of one thing, in as many columns as fit. */
export function Facts({ facts }: { facts: readonly Fact[] }): ReactNode {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, key = name, value, isLong = false }) => (
        <div key={key} className={isLong ? classes.long : undefined}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
