import { Injectable } from '@nestjs/common';
import type { Tx } from '../platform/database/index.js';
import type { TenantId } from '../http/index.js';

type Follower = (tx: Tx, tenantId: TenantId) => Promise<void>;

/**
 * What else goes when an organization or a project is deleted. A module that keeps rows of a tenant without a
 * foreign key follows here, and removes them in the transaction of the deletion.
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
