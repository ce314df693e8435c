import { createStore, del, get, set } from 'idb-keyval';
import type { UseStore } from 'idb-keyval';

/** Where a session is kept: anything with these three methods, at once or later. */
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

/**
 * The browser's IndexedDB, which its tabs share. Not `localStorage`: tabs in processes of their own may go on to see
 * there for a moment what another has replaced (https://html.spec.whatwg.org/multipage/webstorage.html, 12.2.1), and a
 * refresh token is good for one use. A transaction sees all that ended before it began. Memory where a page may keep
 * nothing.
 */
export class BrowserStorage implements SessionStorage {
  private readonly store = createStore('@service/client', 'sessions');
  private readonly memory = new MemoryStorage();
  private opened: Promise<UseStore | null> | undefined;

  async getItem(key: string): Promise<string | null> {
    const store = await this.open();
    return store === null ? this.memory.getItem(key) : ((await get<string>(key, store)) ?? null);
  }

  async setItem(key: string, value: string): Promise<void> {
    const store = await this.open();
    if (store === null) this.memory.setItem(key, value);
    else await set(key, value, store);
  }

  async removeItem(key: string): Promise<void> {
    const store = await this.open();
    if (store === null) this.memory.removeItem(key);
    else await del(key, store);
  }

  private async open(): Promise<UseStore | null> {
    this.opened ??= this.tryOpen();
    return await this.opened;
  }

  private async tryOpen(): Promise<UseStore | null> {
    try {
      return await this.store('readonly', () => this.store);
    } catch {
      return null;
    }
  }
}

export function defaultStorage(): SessionStorage {
  return 'indexedDB' in globalThis ? new BrowserStorage() : new MemoryStorage();
}
