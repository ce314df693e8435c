import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { CONFIG } from '../config/index.js';
import type { Config } from '../config/index.js';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { clientFor } from './primary/following-client.js';

/** Releases the lock that `tryLock` took. */
export type Release = () => Promise<void>;

/**
 * Named locks across all instances, for work that must not span a transaction because it waits for something
 * external. A lock ends with its process, so unfinished work that nobody has locked was left behind by a dead
 * process. All locks of an instance share one dedicated connection, which is open while the instance holds any.
 */
@Injectable()
export class ProcessLocks {
  private readonly names = new Set<string>();
  private client: Promise<pg.Client> | null = null;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Returns null when another caller holds the lock. */
  async tryLock(name: string): Promise<Release | null> {
    if (this.names.has(name)) return null;
    this.names.add(name);
    try {
      if (await this.take(name)) return () => this.release(name);
    } catch (error) {
      await this.forget(name);
      throw error;
    }
    await this.forget(name);
    return null;
  }

  private async take(name: string): Promise<boolean> {
    const client = await this.connected();
    const sql = `SELECT pg_try_advisory_lock(hashtextextended(current_schema() || ' ' || $1, $2)) AS taken`;
    return (
      (await client.query<{ taken: boolean }>(sql, [name, ADVISORY_LOCKS.processes])).rows[0]?.taken === true
    );
  }

  private async release(name: string): Promise<void> {
    const client = await this.client?.catch(() => null);
    // If the connection is gone, so is the lock.
    await client
      ?.query(`SELECT pg_advisory_unlock(hashtextextended(current_schema() || ' ' || $1, $2))`, [
        name,
        ADVISORY_LOCKS.processes,
      ])
      .catch(() => undefined);
    await this.forget(name);
  }

  private async forget(name: string): Promise<void> {
    this.names.delete(name);
    if (this.names.size > 0) return;
    const { client } = this;
    this.client = null;
    await client?.then((idle) => idle.end()).catch(() => undefined);
  }

  private async connected(): Promise<pg.Client> {
    this.client ??= this.connect();
    const { client } = this;
    try {
      return await client;
    } catch (error) {
      if (this.client === client) this.client = null;
      throw error;
    }
  }

  private async connect(): Promise<pg.Client> {
    const client = clientFor(this.config.database, {
      application_name: 'service-locks',
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    });
    const lost = (): void => {
      this.client = null;
    };
    client.on('error', lost);
    await client.connect();
    return client;
  }
}
