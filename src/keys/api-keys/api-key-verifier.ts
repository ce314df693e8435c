import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { CacheInvalidation, InvalidatedCache } from '../../cache-invalidation/index.js';
import { sha256 } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { ApiKeyCaller } from '../../http/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { readApiKeyId } from './api-key-format.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { ApiKeyRepository } from './api-key.repository.js';
import type { UsableApiKey } from './api-key.repository.js';

const MAX_KEYS = 10_000;
/** Separate from existing keys, so that invented ids do not evict them. */
const MAX_UNKNOWN_IDS = 1_000;

/**
 * Verifies API keys through a cache in this process. Every instance drops a key when its revocation, or the deletion of
 * its organization, commits.
 */
@Injectable()
export class ApiKeyVerifier {
  private readonly cache: InvalidatedCache<UsableApiKey | null>;

  constructor(
    private readonly database: Database,
    private readonly repository: ApiKeyRepository,
    private readonly usage: ApiKeyUsage,
    private readonly clock: Clock,
    changes: CacheInvalidation,
  ) {
    this.cache = new InvalidatedCache(changes, ['api_key', 'organization'], {
      maxEntries: MAX_KEYS,
      maxAbsent: MAX_UNKNOWN_IDS,
    });
  }

  /** Whom the key stands for; null when it is malformed, unknown, revoked or expired. */
  async verifyApiKey(presented: string): Promise<ApiKeyCaller | null> {
    const id = readApiKeyId(presented);
    const key = id === null ? null : await this.find(id);
    if (key === null || !timingSafeEqual(sha256(presented), key.secretHash)) return null;
    // Checked at each use, so that a cached key does not outlive its expiry.
    if (key.expiresAt !== null && key.expiresAt <= this.clock.now()) return null;
    this.usage.note(key.id);
    return { type: 'api_key', keyId: key.id, orgId: key.orgId, permissions: key.permissions };
  }

  private async find(id: string): Promise<UsableApiKey | null> {
    return await this.cache.find(
      id,
      () => this.repository.findUsable(this.database.reader, id),
      (key) => (key === null ? [id] : [id, key.orgId]),
    );
  }
}
