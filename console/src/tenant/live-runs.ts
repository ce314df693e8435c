import { useEffect } from 'react';
import { queries, refetchType } from '../parts/queries.js';
import { openTabs } from '../session/tabs.js';
import { useTenant } from './tenant.js';
import type { Tenant } from './tenant.js';

/** After a change, what is shown of runs is read again so much later: changes come in groups. */
const SOON_MS = 300;
/** While changes go on, it is read again so often: fifty open consoles must not become the load of the service. */
const AT_MOST_EVERY_MS = 1_000;
const RETRY_MS = 3_000;

/** What a run that changes says of itself. */
interface Change {
  readonly run: string;
  readonly job: string;
  /** Its line in the log tells of a failure. */
  readonly isFailure: boolean;
}

/** What a query shows. */
type Shown =
  | 'jobs'
  | 'names'
  | 'children'
  | 'retries'
  | 'next'
  | 'queue'
  | 'list'
  | 'run'
  | 'steps'
  | 'job'
  | 'latest'
  | 'failures'
  | 'coming'
  | 'schedule';

/** Whether a change concerns what is shown; where nothing is said, each does. Times to come are read again by the clock. */
const CONCERNS: Readonly<Partial<Record<Shown, (change: Change, id: unknown) => boolean>>> = {
  run: ({ run }, id) => run === id,
  steps: ({ run }, id) => run === id,
  job: ({ job }, id) => job === id,
  latest: ({ job }, id) => job === id,
  failures: ({ isFailure }) => isFailure,
  names: () => false,
  next: () => false,
  coming: () => false,
  schedule: () => false,
};

/** What queries about runs begin with; those that a change concerns are read again after it. */
export function runsKey({ slug }: Tenant, shown: Shown, ...rest: readonly unknown[]): readonly unknown[] {
  return ['runs', slug, shown, ...rest];
}

function concerns({ queryKey: [, , shown, id] }: { queryKey: readonly unknown[] }, change: Change): boolean {
  return CONCERNS[shown as Shown]?.(change, id) ?? true;
}

let timer: ReturnType<typeof setTimeout> | undefined;
let readAt = 0;
let waiting: Change[] = [];

function readAgainSoon(slug: string, change: Change): void {
  waiting.push(change);
  const delay = Math.max(SOON_MS, readAt + AT_MOST_EVERY_MS - Date.now());
  timer ??= setTimeout(() => {
    const changes = waiting;
    timer = undefined;
    waiting = [];
    readAt = Date.now();
    void queries.invalidateQueries({
      queryKey: ['runs', slug],
      predicate: (query) => changes.some((made) => concerns(query, made)),
      refetchType: refetchType(),
    });
  }, delay);
}

async function follow(tenant: Tenant, changed: (change: Change) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      // Each change of a run has a line in its log.
      for await (const line of tenant.client.logs.follow({ signal, level: 'info' }))
        if (line.run_id !== '')
          changed({ run: line.run_id, job: line.job_id, isFailure: line.level === 'error' });
    } catch {
      // The lists are read every few seconds anyway.
    }
    await waitUnlessAborted(RETRY_MS, signal);
  }
}

/** Ends at once with the page: the next one waits for the lock that this one holds. */
async function waitUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

/**
 * Reads again what is shown of runs as soon as one changes. One tab follows the stream and tells the others: a browser
 * opens six connections to an HTTP/1.1 server, for all of its tabs together.
 */
export function useLiveRuns(): void {
  const tenant = useTenant();
  useEffect(() => {
    const name = `service.console.runs.${tenant.slug}`;
    const leaving = new AbortController();
    const tabs = openTabs(name, (told) => {
      readAgainSoon(tenant.slug, JSON.parse(told) as Change);
    });
    const changed = (change: Change): void => {
      tabs.tell(JSON.stringify(change));
      readAgainSoon(tenant.slug, change);
    };
    // Absent on plain HTTP except on this machine.
    const locks = (navigator as { locks?: LockManager }).locks;
    if (locks !== undefined && tenant.may('jobs:logs:read'))
      locks
        .request(name, { signal: leaving.signal }, () => follow(tenant, changed, leaving.signal))
        .catch(() => undefined);
    return () => {
      leaving.abort();
      tabs.close();
    };
  }, [tenant]);
}

/** How often lists are read again where no stream says that they changed. */
export const POLL_MS = 5_000;
