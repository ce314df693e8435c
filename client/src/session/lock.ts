interface LockManager {
  request<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

/** Work in turn within this program, where the platform has no locks of its own. */
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
 * Does the work while no other of this name is done: by the Web Locks of a browser in any of its tabs
 * (https://w3c.github.io/web-locks/), else in this program.
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
    // A page without an origin of its own, as in a sandboxed frame, gets no lock, and shares nothing to be locked.
    return await withConnection(name, work);
  }
}
