import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { CacheInvalidation } from '../../cache-invalidation/index.js';
import { sha256 } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { decodeCursor, pageOf, ServiceError } from '../../http/index.js';
import type { Caller, Page, PageQuery, Requester, TenantId } from '../../http/index.js';
import { MemberKeys } from '../../orgs/index.js';
import { covers, OrganizationCommands, requireCovered } from '../../rbac/index.js';
import { makeApiKey } from './api-key-format.js';
import { ApiKeyRepository } from './api-key.repository.js';
import type { ApiKey, ApiKeyPosition } from './api-key.repository.js';

/** A request for a new key. */
export interface WantedApiKey {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly expiresAt: Date | null;
}

/** A key with its secret text, which only this response contains. */
export interface CreatedApiKey extends ApiKey {
  readonly key: string;
}

const REVOCATION = 'auth:keys:delete';

/** Milliseconds since 1970, and the id. */
const POSITION = /^\d{1,14} [0-9A-Za-z]{8}$/;
/** Of 62^8 ids; a second collision in a row would be a fault of the random source. */
const ID_ATTEMPTS = 3;

/** @throws validation_failed for a cursor of another list */
export function apiKeyPositionOf(cursor: string | undefined): ApiKeyPosition | null {
  const position = decodeCursor(cursor, POSITION);
  if (position === null) return null;
  const [createdAt = '', id = ''] = position.split(' ');
  return { createdAt: new Date(Number(createdAt)), id };
}

export function apiKeyPositionText({ createdAt, id }: ApiKeyPosition): string {
  return `${createdAt.getTime()} ${id}`;
}

type Creator = { readonly type: 'user' | 'api_key'; readonly id: string };

/** @throws run_token_not_allowed: a key outlives the run, and the run's rights end with it */
function creatorOf(caller: Caller): Creator {
  if (caller.type === 'user') return { type: 'user', id: caller.userId };
  if (caller.type === 'api_key') return { type: 'api_key', id: caller.keyId };
  throw new ServiceError('run_token_not_allowed');
}

@Injectable()
export class ApiKeys implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly repository: ApiKeyRepository,
    private readonly commands: OrganizationCommands,
    private readonly changes: CacheInvalidation,
    private readonly memberKeys: MemberKeys,
  ) {}

  onModuleInit(): void {
    this.memberKeys.follow((command, userId) => this.revokeMadeBy(command, userId));
  }

  /** @param createdBy the id of the user or API key that created them; null for any */
  async list(orgId: TenantId, createdBy: string | null, { limit, cursor }: PageQuery): Promise<Page<ApiKey>> {
    const after = apiKeyPositionOf(cursor);
    const found = await this.repository.list(this.database.reader, orgId, createdBy, after, limit + 1);
    return pageOf(found, limit, apiKeyPositionText);
  }

  /**
   * @throws permission_not_held when the key could do what its creator cannot, key_outlives_maker; limit_reached,
   *   permission_denied, not_a_member, session_revoked, run_token_not_allowed
   */
  async create(by: Requester, wanted: WantedApiKey): Promise<CreatedApiKey> {
    const creator = creatorOf(by.caller);
    const attempt = {
      permission: 'auth:keys:create',
      action: 'api_key.create',
      target: { type: 'org', id: by.tenant.id },
      details: { name: wanted.name, permissions: wanted.permissions },
    };
    return await this.commands.run(by, attempt, async (command) => {
      const { tx, currentPermissions } = command;
      requireCovered(currentPermissions, wanted.permissions);
      await this.requireExpiry(tx, by.tenant.id, creator, wanted.expiresAt);
      await command.requireQuota('apiKeys', () => this.repository.countUsable(tx, by.tenant.id));
      const created = await this.insert(tx, by.tenant.id, creator, wanted);
      const { id, name, permissions, expiresAt } = created;
      const details = { name, permissions, expires_at: expiresAt?.toISOString() ?? null };
      await command.record('api_key.created', { type: 'api_key', id }, details);
      await this.announce(tx, id);
      return created;
    });
  }

  /**
   * Revokes a key; its row stays. Repeating it changes nothing and succeeds, so that a caller can retry after a lost
   * response.
   * @throws key_not_found, permission_not_held when the key can do what the caller cannot, permission_denied,
   *   not_a_member, session_revoked
   */
  async revoke(by: Requester, id: string): Promise<void> {
    const target = { type: 'api_key', id };
    const attempt = { permission: REVOCATION, action: 'api_key.revoke', target };
    await this.commands.run(by, attempt, async (command) => {
      const { tx, organizationId, currentPermissions } = command;
      const key = await this.repository.find(tx, organizationId, id);
      if (key === null) throw new ServiceError('key_not_found');
      if (key.revokedAt !== null) return;
      requireCovered(currentPermissions, key.permissions);
      if (!(await this.repository.revoke(tx, organizationId, id))) return;
      await command.record('api_key.revoked', target, { name: key.name });
      await this.announce(tx, id);
    });
  }

  /**
   * Revokes the keys that a member made, in the transaction that removes the member.
   * @throws permission_denied, permission_not_held when a key can do what the caller cannot
   */
  private async revokeMadeBy(command: Parameters<MemberKeys['revoke']>[0], userId: string): Promise<void> {
    const { tx, organizationId, currentPermissions } = command;
    if (!covers(currentPermissions, REVOCATION))
      throw new ServiceError('permission_denied', { hint: `This needs the permission ${REVOCATION}.` });
    for (const { id, name, permissions } of await this.repository.listMadeBy(tx, organizationId, userId)) {
      requireCovered(currentPermissions, permissions);
      await this.repository.revoke(tx, organizationId, id);
      await command.record('api_key.revoked', { type: 'api_key', id }, { name });
      await this.announce(tx, id);
    }
  }

  /** A key that expires must not create one that lasts longer. */
  private async requireExpiry(
    tx: Tx,
    orgId: TenantId,
    creator: Creator,
    expiresAt: Date | null,
  ): Promise<void> {
    if (creator.type !== 'api_key') return;
    const end = (await this.repository.find(tx, orgId, creator.id))?.expiresAt ?? null;
    if (end === null || (expiresAt !== null && expiresAt <= end)) return;
    throw new ServiceError('key_outlives_maker', {
      hint: `Give an expires_at of ${end.toISOString()} or earlier, or create the key as a user.`,
    });
  }

  private async insert(
    tx: Tx,
    orgId: TenantId,
    creator: Creator,
    wanted: WantedApiKey,
  ): Promise<CreatedApiKey> {
    for (let attempt = 0; attempt < ID_ATTEMPTS; attempt += 1) {
      const { id, key } = makeApiKey();
      const row = { ...wanted, id, secretHash: sha256(key), creator };
      const created = await this.repository.insertApiKey(tx, orgId, row);
      if (created !== null) return { ...created, key };
    }
    throw new Error('no free API key id was found');
  }

  private async announce(tx: Tx, id: string): Promise<void> {
    await this.changes.announce(tx, { kind: 'api_key', id });
  }
}
