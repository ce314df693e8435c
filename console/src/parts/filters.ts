import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

export interface Filters<Name extends string> {
  /** Empty text where there is none. */
  readonly values: Readonly<Record<Name, string>>;
  readonly isAny: boolean;
  /** Sets some, and goes back to the first page. */
  readonly set: (change: Partial<Record<Name, string | null>>) => void;
  readonly clear: () => void;
}

/** Filters of a list, kept in the address: a reload, a link and another tab have the same. */
export function useFilters<const Name extends string>(names: readonly Name[]): Filters<Name> {
  const [search, setSearch] = useSearchParams();
  const values = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<
    Name,
    string
  >;
  const set = useCallback(
    (change: Partial<Record<Name, string | null>>) => {
      setSearch(
        (former) => {
          const next = new URLSearchParams(former);
          for (const [name, value] of Object.entries(change) as [string, string | null][])
            if (value === null || value === '') next.delete(name);
            else next.set(name, value);
          return next;
        },
        { replace: true },
      );
    },
    [setSearch],
  );
  const clear = useCallback(() => {
    setSearch({}, { replace: true });
  }, [setSearch]);
  return { values, isAny: names.some((name) => values[name] !== ''), set, clear };
}
