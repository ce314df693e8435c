import { Injectable } from '@nestjs/common';
import { CacheInvalidation, InvalidatedCache, whenResolved } from '../../cache-invalidation/index.js';
import type { MaybePromise } from '../../cache-invalidation/index.js';
import type { TenantId } from '../../http/index.js';
import { SigningSecrets } from './signing-secrets.js';
import { standardHeaders, standardKey } from './standard-webhook.js';
import type { OutgoingMessage } from './standard-webhook.js';

const MAX_TENANTS = 10_000;

interface SigningKey {
  readonly key: Buffer;
  readonly signsUntil: Date | null;
}

/**
 * Signs the calls to handlers. The keys of a tenant stay in memory, so that a call needs no SQL, until an instance
 * announces a change.
 */
@Injectable()
export class CallSigner {
  private readonly cache: InvalidatedCache<readonly SigningKey[]>;

  constructor(
    private readonly secrets: SigningSecrets,
    changes: CacheInvalidation,
  ) {
    this.cache = new InvalidatedCache(changes, ['signing_secret'], { maxEntries: MAX_TENANTS });
  }

  /**
   * The Standard Webhooks headers for a message, with one signature for each secret that is valid at that time.
   */
  headersOf(message: OutgoingMessage, tenantId: TenantId): MaybePromise<Record<string, string>> {
    const found = this.cache.find(
      tenantId,
      () => this.read(tenantId),
      () => [tenantId],
    );
    return whenResolved(found, (keys) => signedHeaders(message, keys));
  }

  private async read(tenantId: TenantId): Promise<readonly SigningKey[]> {
    return (await this.secrets.signing(tenantId)).flatMap(({ secret, signsUntil }) => {
      const key = standardKey(secret);
      return key === null ? [] : [{ key, signsUntil }];
    });
  }
}

function signedHeaders(message: OutgoingMessage, keys: readonly SigningKey[]): Record<string, string> {
  const signing = keys.filter(({ signsUntil }) => signsUntil === null || signsUntil > message.sentAt);
  return standardHeaders(
    message,
    signing.map(({ key }) => key),
  );
}
