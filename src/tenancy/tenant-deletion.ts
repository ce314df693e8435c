import { Injectable } from '@nestjs/common';
import type { Tx } from '../platform/database/index.js';
import type { TenantId } from '../http/index.js';

type Follower = (tx: Tx, tenantId: TenantId) => Promise<void>;

/**
 * What else is deleted with an organization or a project. A module that stores rows of a tenant without a foreign key
 * registers here, and removes them in the transaction of the deletion.
 */
@Injectable()
export class TenantDeletion {
  private readonly followers: Follower[] = [];

  follow(remove: Follower): void {
    this.followers.push(remove);
  }

  async removeRest(tx: Tx, tenantId: TenantId): Promise<void> {
    for (const remove of this.followers) await remove(tx, tenantId);
  }
}
