import { useEffect } from 'react';
import { queries } from '../parts/queries.js';
import { openTabs } from '../session/tabs.js';
import { useTenant } from './tenant.js';
import type { Tenant } from './tenant.js';

/** What was read of runs is read again at most so often, however many lines arrive. */
const QUIET_MS = 300;
const RETRY_MS = 3_000;

/** What queries about runs begin with; all of them are read again when a run changes. */
export function runsKey({ slug }: Tenant, ...rest: readonly unknown[]): readonly unknown[] {
  return ['runs', slug, ...rest];
}

let timer: ReturnType<typeof setTimeout> | undefined;

function readAgainSoon(slug: string): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    void queries.invalidateQueries({ queryKey: ['runs', slug] });
  }, QUIET_MS);
}

async function follow(tenant: Tenant, changed: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      // Each change of a run has a line in its log.
      for await (const line of tenant.client.logs.follow({ signal, level: 'info' }))
        if (line.run_id !== '') changed();
    } catch {
      // The lists are read every few seconds anyway.
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
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
    const tabs = openTabs(name, () => {
      readAgainSoon(tenant.slug);
    });
    const changed = (): void => {
      tabs.tell('changed');
      readAgainSoon(tenant.slug);
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
