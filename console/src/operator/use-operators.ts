import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Operator } from '@service/client';
import { useOperator } from './operator.js';

/** The accounts that operate the deployment. */
export function useOperators(): UseQueryResult<Operator[]> {
  const { client } = useOperator();
  return useQuery({
    queryKey: ['deployment', 'operators'],
    queryFn: ({ signal }) => client.deployment.operators({ signal }),
  });
}
