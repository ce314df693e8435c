import type { FollowedLine, LogLevel, RunDetails, RunStatus } from '@service/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { POLL_MS, runsKey } from '../../tenant/live-runs.js';
import { useTenant } from '../../tenant/tenant.js';

/** More than that are in the list of runs. */
export const SHOWN_CHILDREN = 20;
const SHOWN_RETRIES = 10;

export function hasEnded(status: RunStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

export function useRun(id: string) {
  const tenant = useTenant();
  return useQuery<RunDetails>({
    queryKey: runsKey(tenant, 'run', id),
    queryFn: ({ signal }) => tenant.client.runs.get(id, { signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && hasEnded(data.status) ? false : POLL_MS),
  });
}

/** What its handler has kept. */
export function useSteps(id: string) {
  const tenant = useTenant();
  return useQuery({
    queryKey: runsKey(tenant, 'steps', id),
    queryFn: ({ signal }) => tenant.client.runs.steps(id, { signal }),
    refetchInterval: POLL_MS,
  });
}

/** A step with its value, which never changes. */
export function useStep(runId: string, name: string) {
  const tenant = useTenant();
  return useQuery({
    queryKey: ['step', tenant.slug, runId, name],
    queryFn: ({ signal }) => tenant.client.runs.step(runId, name, { signal }),
    staleTime: Infinity,
  });
}

/** The newest runs that its handler triggered. */
export function useChildren(id: string) {
  const tenant = useTenant();
  return useQuery({
    queryKey: runsKey(tenant, 'children', id),
    queryFn: async ({ signal }) =>
      await tenant.client.runs.list({ parentRunId: id, limit: SHOWN_CHILDREN, signal }).page(),
    refetchInterval: POLL_MS,
  });
}

/** The newest runs that retry it. */
export function useRetries({ id, status }: Pick<RunDetails, 'id' | 'status'>) {
  const tenant = useTenant();
  return useQuery({
    queryKey: runsKey(tenant, 'retries', id),
    queryFn: async ({ signal }) =>
      (await tenant.client.runs.list({ retryOf: id, limit: SHOWN_RETRIES, signal }).page()).items,
    enabled: hasEnded(status),
    refetchInterval: POLL_MS,
  });
}

export function useRunActions(id: string) {
  const { client } = useTenant();
  return {
    /** With another payload, or with that of the run if it is undefined. */
    retry: useMutation({ mutationFn: (payload: unknown) => client.runs.retry(id, { payload }) }),
    cancel: useMutation({ mutationFn: (children: boolean) => client.runs.cancel(id, { children }) }),
  };
}

export interface FollowedLog {
  readonly lines: readonly FollowedLine[];
  readonly error: unknown;
  /** The run has ended, and all of its lines are here. */
  readonly isComplete: boolean;
}

const NOTHING: FollowedLog = { lines: [], error: null, isComplete: false };
/** Lines that arrive together are shown together. */
const BATCH_MS = 60;

/** The log of a run, from its beginning to its end, as it is written; for one level, so a change of it needs a new key. */
export function useRunLog(runId: string, level: LogLevel): FollowedLog {
  const { client } = useTenant();
  const [log, setLog] = useState(NOTHING);
  useEffect(() => {
    const leaving = new AbortController();
    let waiting: FollowedLine[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (change: Partial<FollowedLog> = {}): void => {
      clearTimeout(timer);
      timer = undefined;
      const arrived = waiting;
      waiting = [];
      if (!leaving.signal.aborted)
        setLog((former) => ({ ...former, ...change, lines: [...former.lines, ...arrived] }));
    };
    void (async () => {
      try {
        for await (const line of client.logs.follow({ runId, level, signal: leaving.signal })) {
          waiting.push(line);
          timer ??= setTimeout(show, BATCH_MS);
        }
        show({ isComplete: true });
      } catch (error) {
        show({ error });
      }
    })();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [client, runId, level]);
  return log;
}
