interface LockManager {
  request<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

/** A queue within this program, if the platform has no locks. */
const lastOf = new Map<string, Promise<unknown>>();

async function withConnection<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const before = lastOf.get(name) ?? Promise.resolve();
  const turn = before.then(work, work);
  const settled = turn.catch(() => undefined);
  lastOf.set(name, settled);
  try {
    return await turn;
  } finally {
    if (lastOf.get(name) === settled) lastOf.delete(name);
  }
}

/**
 * Runs the work while no other work with this name runs: in a browser, in any of its tabs, with Web Locks
 * (https://w3c.github.io/web-locks/); otherwise in this program.
 */
export async function withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const { navigator } = globalThis as { navigator?: { locks?: LockManager } };
  const locks = navigator?.locks;
  if (locks === undefined) return await withConnection(name, work);
  let isHeld = false as boolean;
  try {
    return await locks.request(name, async () => {
      isHeld = true;
      return await work();
    });
  } catch (error) {
    if (isHeld) throw error;
    // A page without its own origin, such as a sandboxed frame, gets no lock, and shares no storage that would need
    // one.
    return await withConnection(name, work);
  }
}
