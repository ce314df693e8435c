import type { Factor } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { useAccounts } from '../users/accounts.js';
import type { Account } from '../users/accounts.js';

/** The second factors of a user. */
export function useFactors({ id }: Account): UseQueryResult<Factor[]> {
  const { key, client } = useAccounts();
  return useQuery({
    queryKey: [...key, 'factors', id],
    queryFn: ({ signal }) => client.factors(id, { signal }),
  });
}
