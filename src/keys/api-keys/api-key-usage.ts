import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import type { BackgroundService } from '../../platform/lifecycle/index.js';
import { ApiKeyRepository } from './api-key.repository.js';

const MAX_KEYS = 10_000;

/**
 * Keeps `last_used_at`: off the request path, many keys in one statement, and for a busy key once a minute. The
 * statement checks the row again, since every instance measures the minute on its own.
 */
@Injectable()
export class ApiKeyUsage implements BackgroundService {
  readonly name = 'API key usage';
  private readonly logger = new Logger(ApiKeyUsage.name);
  private readonly writtenAt = new LRUCache<string, number>({ max: MAX_KEYS });
  private waiting = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly repository: ApiKeyRepository,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The key was used now. Costs no time: the row is written later. */
  note(keyId: string): void {
    const writtenAt = this.writtenAt.get(keyId);
    if (writtenAt !== undefined && this.nowMs() - writtenAt < this.config.timing.keys.usagePrecisionMs)
      return;
    this.waiting.add(keyId);
    this.timer ??= setTimeout(() => void this.write(), this.config.timing.keys.usageGatherMs).unref();
  }

  async start(): Promise<void> {
    await Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.write();
  }

  private async write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const keyIds = [...this.waiting];
    this.waiting = new Set();
    if (keyIds.length > 0) this.writing = this.writing.then(() => this.writeAll(keyIds));
    await this.writing;
  }

  private async writeAll(keyIds: readonly string[]): Promise<void> {
    try {
      this.mark(keyIds);
      await this.repository.touch(this.database.autoCommit, keyIds, this.config.timing.keys.usagePrecisionMs);
      // The row's minute begins with the statement, not with the use; an earlier attempt would change nothing.
      this.mark(keyIds);
    } catch (error) {
      for (const keyId of keyIds) this.writtenAt.delete(keyId);
      this.logger.warn(error, 'last_used_at of API keys was not written; their next use tries again');
    }
  }

  private mark(keyIds: readonly string[]): void {
    const now = this.nowMs();
    for (const keyId of keyIds) this.writtenAt.set(keyId, now);
  }

  private nowMs(): number {
    return this.clock.now().getTime();
  }
}
