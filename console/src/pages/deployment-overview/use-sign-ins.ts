import type { SignInStatsPoint } from '@service/client';
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { useOperator } from '../../operator/operator.js';
import { beginningOf } from '../../parts/time-range.js';
import type { Range } from '../../parts/time-range.js';

const INTERVALS = { hour: '5m', day: '1h', week: '1h', month: '1d' } as const;
/** The figures of sign-ins are two seconds old at most. */
const REFRESH_MS = 5_000;

/** The sign-ins of a range, of the whole deployment. */
export function useSignIns(range: Range): UseQueryResult<SignInStatsPoint[]> {
  const { client } = useOperator();
  return useQuery({
    queryKey: ['sign-ins', range],
    queryFn: ({ signal }) =>
      client.deployment.signIns({ interval: INTERVALS[range], since: beginningOf(range), signal }),
    refetchInterval: REFRESH_MS,
  });
}
