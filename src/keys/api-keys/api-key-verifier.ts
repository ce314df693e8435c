import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { timingSafeEqual } from 'node:crypto';
import { CacheInvalidation } from '../../events/index.js';
import { sha256 } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { ApiKeyCaller } from '../../platform/http/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { readApiKeyId } from './api-key-format.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { ApiKeyRepository } from './api-key.repository.js';
import type { UsableApiKey } from './api-key.repository.js';

/** The longest that a missed announcement can keep an old answer alive. */
const LIFETIME_MS = 30_000;
const MAX_KEYS = 10_000;
/** Apart from the keys that exist, so that made-up ids push none of those out. */
const MAX_UNKNOWN_IDS = 1_000;

/**
 * Proves API keys from memory: the keys in use are read through a cache in this process, which forgets one
 * on every instance when its revocation, or the deletion of its organization, commits.
 */
@Injectable()
export class ApiKeyVerifier {
  private readonly usable = new LRUCache<string, UsableApiKey>({ max: MAX_KEYS, ttl: LIFETIME_MS });
  private readonly unknown = new LRUCache<string, true>({ max: MAX_UNKNOWN_IDS, ttl: LIFETIME_MS });
  /** Counts the invalidations, so that what was read before one is not kept after it. */
  private generation = 0;

  constructor(
    private readonly database: Database,
    private readonly repository: ApiKeyRepository,
    private readonly usage: ApiKeyUsage,
    private readonly clock: Clock,
    changes: CacheInvalidation,
  ) {
    changes.onChange((change) => {
      if (change === 'everything') this.forgetAll();
      else if (change.kind === 'api_key') this.forget(change.id);
      else if (change.kind === 'organization') this.forgetOrganization(change.id);
    });
  }

  /** Whom the key stands for; null when it is malformed, unknown, revoked or expired. */
  async verify(presented: string): Promise<ApiKeyCaller | null> {
    const id = readApiKeyId(presented);
    const key = id === null ? null : await this.find(id);
    if (key === null || !timingSafeEqual(sha256(presented), key.secretHash)) return null;
    // At each use and against the clock: what is in memory does not outlive the key.
    if (key.expiresAt !== null && key.expiresAt <= this.clock.now()) return null;
    this.usage.note(key.id);
    return { type: 'api_key', keyId: key.id, orgId: key.orgId, permissions: key.permissions };
  }

  /** @param id `*` for every key */
  forget(id: string): void {
    if (id === '*') {
      this.forgetAll();
      return;
    }
    this.generation += 1;
    this.usable.delete(id);
    this.unknown.delete(id);
  }

  private async find(id: string): Promise<UsableApiKey | null> {
    const known = this.usable.get(id);
    if (known !== undefined) return known;
    if (this.unknown.get(id) === true) return null;
    const { generation } = this;
    const key = await this.repository.findUsable(this.database.reader, id);
    if (generation === this.generation) {
      if (key === null) this.unknown.set(id, true);
      else this.usable.set(id, key);
    }
    return key;
  }

  private forgetOrganization(orgId: string): void {
    this.generation += 1;
    for (const [id, key] of this.usable.entries()) {
      if (orgId === '*' || key.orgId === orgId) this.usable.delete(id);
    }
  }

  private forgetAll(): void {
    this.generation += 1;
    this.usable.clear();
    this.unknown.clear();
  }
}
