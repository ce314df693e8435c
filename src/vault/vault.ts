import { Inject, Injectable } from '@nestjs/common';
import { actorOf, AuditTrail } from '../audit/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { KeyRing, newId } from '../platform/crypto/index.js';
import type { AssociatedData } from '../platform/crypto/index.js';
import { Database } from '../platform/database/index.js';
import type { Reader, Tx } from '../platform/database/index.js';
import { pageOf, ServiceError } from '../http/index.js';
import type { Caller, Origin, Page, TenantId } from '../http/index.js';
import { requireQuota } from '../limits/index.js';
import { Tenancy } from '../tenancy/index.js';
import { SecretRepository } from './secret.repository.js';
import type { Secret } from './secret.repository.js';

type IsUsed = (tx: Tx, tenantId: TenantId, path: string) => Promise<boolean>;

/** Who uses secrets. A module whose rows refer to secrets registers here, so that no secret in use is deleted. */
@Injectable()
export class SecretUses {
  private readonly users: IsUsed[] = [];

  register(isUsed: IsUsed): void {
    this.users.push(isUsed);
  }

  async isUsed(tx: Tx, tenantId: TenantId, path: string): Promise<boolean> {
    for (const isUsed of this.users) if (await isUsed(tx, tenantId, path)) return true;
    return false;
  }
}

/** Who requests a change, for which tenant, and from where. */
export interface Requester {
  readonly tenantId: TenantId;
  readonly caller: Caller;
  readonly origin: Origin;
}

/** Where the sealed value of a secret is stored. */
export function secretAssociatedData(tenantId: string, id: string): AssociatedData {
  return { tenantId, table: 'vault_secrets', column: 'sealed_value', row: id };
}

/**
 * The secrets of tenants. Values are write-only for callers and used only inside the program. A secret is read for each
 * use, so that a rotated value takes effect at once.
 */
@Injectable()
export class Vault {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly secrets: SecretRepository,
    private readonly keyRing: KeyRing,
    private readonly uses: SecretUses,
    private readonly audit: AuditTrail,
    private readonly tenancy: Tenancy,
  ) {}

  async list(tenantId: TenantId, limit: number, before: string | null): Promise<Page<Secret>> {
    const found = await this.secrets.list(this.database.reader, tenantId, limit + 1, before);
    return pageOf(found, limit, ({ id }) => id);
  }

  /** @throws secret_not_found */
  async find(tenantId: TenantId, path: string): Promise<Secret> {
    const secret = await this.secrets.find(this.database.reader, tenantId, path);
    if (secret === null) throw new ServiceError('secret_not_found');
    return secret;
  }

  /** Creates the secret, or replaces its value. @throws limit_reached */
  async set(by: Requester, path: string, value: string): Promise<void> {
    await this.database.serialTransaction(by.tenantId, actorOf(by.caller), async (tx) => {
      await this.tenancy.lockAgainstDeletion(tx, by.tenantId);
      const created = await this.write(tx, by.tenantId, path, value);
      await this.record(tx, by, 'secret.set', path, { created });
    });
  }

  /** @throws secret_not_found, secret_in_use */
  async delete(by: Requester, path: string): Promise<void> {
    await this.database.serialTransaction(by.tenantId, actorOf(by.caller), async (tx) => {
      const id = await this.secrets.lock(tx, by.tenantId, path);
      if (id === null) throw new ServiceError('secret_not_found');
      // After the lock: a registration that refers to the secret locks it too, and has committed by now.
      if (await this.uses.isUsed(tx, by.tenantId, path)) throw new ServiceError('secret_in_use');
      await this.secrets.delete(tx, by.tenantId, id);
      await this.record(tx, by, 'secret.deleted', path);
    });
  }

  /** The current value, for use inside the program and never for a response; null when there is no such secret. */
  async read(handle: Tx | Reader, tenantId: TenantId, path: string): Promise<string | null> {
    const secret = await this.secrets.findSealed(handle, tenantId, path);
    if (secret === null) return null;
    return this.keyRing.open(secret.sealedValue, secretAssociatedData(tenantId, secret.id)).toString('utf8');
  }

  /** Keeps secrets that are about to be referred to from being deleted before `tx` ends. Ignores unknown paths. */
  async lockAgainstDeletion(tx: Tx, tenantId: TenantId, paths: readonly string[]): Promise<void> {
    if (paths.length > 0) await this.secrets.lockAgainstDeletion(tx, tenantId, paths);
  }

  /** Deletes the secrets of a tenant that is deleted. */
  async removeAll(tx: Tx, tenantId: TenantId): Promise<void> {
    await this.secrets.deleteAll(tx, tenantId);
  }

  /** @returns whether the secret is new */
  private async write(tx: Tx, tenantId: TenantId, path: string, value: string): Promise<boolean> {
    for (let isAlone = false; ; isAlone = true) {
      const known = await this.secrets.lock(tx, tenantId, path);
      const id = known ?? newId();
      const sealed = { id, sealedValue: this.keyRing.seal(value, secretAssociatedData(tenantId, id)) };
      if (known !== null) {
        await this.secrets.replaceValue(tx, tenantId, sealed);
        return false;
      }
      if (!isAlone) {
        // Waits for concurrent additions: one of them may be this secret, and all count towards the quota.
        await this.secrets.lockTenant(tx, tenantId);
        continue;
      }
      await requireQuota(this.config.limits, 'secrets', () => this.secrets.count(tx, tenantId));
      await this.secrets.insertSecret(tx, tenantId, path, sealed);
      return true;
    }
  }

  private async record(
    tx: Tx,
    { tenantId, caller, origin }: Requester,
    action: string,
    path: string,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    await this.audit.append(tx, {
      actor: actorOf(caller),
      action,
      target: { type: 'secret', id: path },
      tenantId,
      userId: null,
      origin,
      details,
    });
  }
}
