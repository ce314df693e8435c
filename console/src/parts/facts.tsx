import type { ReactNode } from 'react';
import classes from './facts.module.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** Names and values of one thing, in as many columns as fit. */
export function Facts({ facts }: { facts: readonly Fact[] }): ReactNode {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
