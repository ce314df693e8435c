import { Injectable } from '@nestjs/common';
import type { Tx } from '../platform/database/index.js';
import type { TenantId } from '../platform/http/index.js';

type Follower = (tx: Tx, organizationId: TenantId) => Promise<void>;

/**
 * What else goes when an organization is deleted. A module that keeps rows of an organization without a
 * foreign key follows here, and removes them in the transaction of the deletion.
 */
@Injectable()
export class OrganizationDeletion {
  private readonly followers: Follower[] = [];

  follow(remove: Follower): void {
    this.followers.push(remove);
  }

  async removeRest(tx: Tx, organizationId: TenantId): Promise<void> {
    for (const remove of this.followers) await remove(tx, organizationId);
  }
}
