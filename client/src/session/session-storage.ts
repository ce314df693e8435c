import { createStore, del, get, set } from 'idb-keyval';
import type { UseStore } from 'idb-keyval';

/** Where a session is stored: anything with these three methods, synchronous or not. */
export interface SessionStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
  /**
   * Runs the work while nobody else who shares the storage runs theirs; for a storage that several programs share, such
   * as a file. Without it, the platform locks sessions: among tabs, or within the program.
   */
  withLock?<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** Lasts as long as the program or the page. */
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
 * The browser's IndexedDB, which its tabs share. Not `localStorage`: tabs in other processes may still read an old
 * value for a moment (https://html.spec.whatwg.org/multipage/webstorage.html, 12.2.1), and a refresh token can be used
 * once. A transaction sees everything that was committed before it began. Memory, if a page may store nothing.
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
