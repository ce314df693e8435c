import type { ReactNode } from 'react';
import { TypedFilter } from './typed-filter.js';

interface FindFilterProps {
  readonly label: string;
  /** With the filter `find`. */
  readonly filters: {
    readonly values: { readonly find: string };
    readonly set: (change: { find: string }) => void;
  };
}

/** Narrows a list to what matches the words that are typed. */
export function FindFilter({ label, filters: { values, set } }: FindFilterProps): ReactNode {
  return (
    <TypedFilter
      label={label}
      value={values.find}
      onChange={(find) => {
        set({ find });
      }}
      width={360}
    />
  );
}
