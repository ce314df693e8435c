import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { partsOf } from './parts-of.js';

/** A long name that breaks between its parts, `olga@ example. com`, before it breaks inside of a word. */
export function BreakableText({ children }: { children: string }): ReactNode {
  return partsOf(children).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
