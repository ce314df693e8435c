/** Where a session is kept. `localStorage` is one; so is anything with these three methods, at once or later. */
export interface SessionStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
  /**
   * Does the work while no other who shares the storage does; for one that several programs share, such as a
   * file. Without it sessions are locked by the platform: among tabs, or within the program.
   */
  withLock?<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** Ends with the program or the page. */
export class MemoryStorage implements SessionStorage {
  private readonly values = new Map<string, string>();

  getItem(key: string): string | null {
    return this.values.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.values.set(key, value);
  }

  removeItem(key: string): void {
    this.values.delete(key);
  }
}

/** The browser's `localStorage`, which its tabs share; memory where there is none. */
export function defaultStorage(): SessionStorage {
  // Node.js has one by a flag only, and then in a file for all programs.
  if (!('document' in globalThis)) return new MemoryStorage();
  try {
    const { localStorage } = globalThis as { localStorage?: SessionStorage };
    return localStorage ?? new MemoryStorage();
  } catch {
    // A page may be forbidden to keep anything.
    return new MemoryStorage();
  }
}
