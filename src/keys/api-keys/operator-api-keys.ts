import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import type { Actor } from '../../audit/index.js';
import { CacheInvalidation } from '../../cache-invalidation/index.js';
import { UserRepository } from '../../identity/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { pageOf, ServiceError } from '../../http/index.js';
import type { Origin, Page, PageQuery, TenantId } from '../../http/index.js';
import { ApiKeyRepository } from './api-key.repository.js';
import type { ApiKeyOfUser } from './api-key.repository.js';
import { apiKeyPositionOf, apiKeyPositionText } from './api-keys.js';

/** A revocation by the operator. */
export interface ApiKeyRevocation {
  readonly userId: string;
  readonly keyId: string;
  readonly actor: Actor;
  readonly origin: Origin;
}

/** The API keys that a user created, in every organization, for the operator of the deployment. */
@Injectable()
export class OperatorApiKeys {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly repository: ApiKeyRepository,
    private readonly changes: CacheInvalidation,
    private readonly audit: AuditTrail,
  ) {}

  /** Newest first. @throws user_not_found */
  async list(userId: string, { limit, cursor }: PageQuery): Promise<Page<ApiKeyOfUser>> {
    const after = apiKeyPositionOf(cursor);
    const creatorId = await this.requireUser(userId);
    const found = await this.repository.listOfCreator(this.database.reader, creatorId, after, limit + 1);
    return pageOf(found, limit, apiKeyPositionText);
  }

  /** Revokes a key; its row stays. Repeating it changes nothing. @throws user_not_found, key_not_found */
  async revoke({ userId, keyId, actor, origin }: ApiKeyRevocation): Promise<void> {
    const creatorId = await this.requireUser(userId);
    const key = await this.repository.findOfCreator(this.database.reader, creatorId, keyId);
    if (key === null) throw new ServiceError('key_not_found');
    const orgId = key.org.id as TenantId;
    await this.database.serialTransaction(orgId, actor, async (tx) => {
      if (!(await this.repository.revoke(tx, orgId, keyId))) return;
      await this.audit.append(tx, {
        actor,
        action: 'api_key.revoked',
        target: { type: 'api_key', id: keyId },
        tenantId: orgId,
        userId: null,
        origin,
        details: { name: key.name },
      });
      await this.changes.announce(tx, { kind: 'api_key', id: keyId });
    });
  }

  private async requireUser(userId: string): Promise<string> {
    const user = isUuid(userId) ? await this.users.findById(this.database.reader, userId) : null;
    if (user === null) throw new ServiceError('user_not_found');
    return user.id;
  }
}
