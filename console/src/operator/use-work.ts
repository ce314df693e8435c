import type { Instance, TenantQueue } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { useOperator } from './operator.js';

const REFRESH_MS = 2_000;

/** What waits and what is at work in the whole deployment, and the processes that do it. */
export function useWork(): {
  tenants: UseQueryResult<TenantQueue[]>;
  instances: UseQueryResult<Instance[]>;
} {
  const { client } = useOperator();
  const tenants = useQuery({
    queryKey: ['deployment', 'queue'],
    queryFn: ({ signal }) => client.deployment.queue({ signal }),
    refetchInterval: REFRESH_MS,
  });
  const instances = useQuery({
    queryKey: ['deployment', 'instances'],
    queryFn: ({ signal }) => client.deployment.instances({ signal }),
    refetchInterval: REFRESH_MS,
  });
  return { tenants, instances };
}
