import type { ReactNode } from 'react';
import classes from './initials.module.css';

const HUES = 8;

/** A small tile with the first letter of a name, in one of a few colours that the name decides. */
export function Initials({ name, isSmall = false }: { name: string; isSmall?: boolean }): ReactNode {
  const [letter = '?'] =
    new Intl.Segmenter().segment(name.trim())[Symbol.iterator]().next().value?.segment ?? '?';
  const sum = Array.from(name).reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return (
    <span className={classes.tile} data-hue={sum % HUES} data-small={isSmall || undefined} aria-hidden>
      {letter.toUpperCase()}
    </span>
  );
}
