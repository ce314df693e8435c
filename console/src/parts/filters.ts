import { useCallback, useState } from 'react';
import { useSearchParams } from 'react-router';

/** New values of some filters; empty text or null for none. */
type Change<Name extends string> = Partial<Record<Name, string | null>>;

export interface Filters<Name extends string> {
  /** Empty text where there is none. */
  readonly values: Readonly<Record<Name, string>>;
  readonly isAny: boolean;
  /** Sets some, and goes back to the first page. A function is told what the address has, behind which `values` may lag. */
  readonly set: (change: Change<Name> | ((valueOf: (name: Name) => string) => Change<Name>)) => void;
  readonly clear: () => void;
}

/** Filters of a list, kept in the address: a reload, a link and another tab have the same. */
export function useFilters<const Name extends string>(names: readonly Name[]): Filters<Name> {
  const [search, setSearch] = useSearchParams();
  const [pathname] = useState(() => location.pathname);
  const values = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<
    Name,
    string
  >;
  const set = useCallback<Filters<Name>['set']>(
    (change) => {
      // A filter that was typed shortly before a click must not lead back from the page that is loading.
      if (location.pathname !== pathname) return;
      // What the hook passes lags behind where two filters change in one turn.
      const next = new URLSearchParams(location.search);
      const changed = typeof change === 'function' ? change((name) => next.get(name) ?? '') : change;
      for (const [name, value] of Object.entries(changed) as [string, string | null][])
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
      setSearch(next, { replace: true });
    },
    [pathname, setSearch],
  );
  const clear = useCallback(() => {
    setSearch({}, { replace: true });
  }, [setSearch]);
  return { values, isAny: names.some((name) => values[name] !== ''), set, clear };
}

/** The width of a short filter on a phone: two of them stand side by side. */
export const HALF = 'calc(50% - var(--mantine-spacing-xs) / 2)';
