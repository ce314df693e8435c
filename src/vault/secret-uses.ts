import { Injectable } from '@nestjs/common';
import type { Tx } from '../platform/database/index.js';
import type { TenantId } from '../platform/http/index.js';

type IsUsed = (tx: Tx, tenantId: TenantId, path: string) => Promise<boolean>;

/** What names secrets. A module whose rows hold references to secrets registers here, so that none is deleted from under it. */
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
