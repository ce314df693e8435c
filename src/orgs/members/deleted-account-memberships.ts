import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { UserRepository } from '../../identity/index.js';
import type { MembershipRemoval } from '../../identity/index.js';
import { rows } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { Memberships } from './memberships.js';
import { OrganizationRepository } from '../directory/organization.repository.js';

/** Organizations that the user owns, and no other user who can sign in. */
const OWNED_ALONE = `
  SELECT member.org_id FROM members member
  WHERE member.user_id = $1 AND member.role = 'owner' AND NOT EXISTS (
    SELECT FROM members other JOIN users ON users.id = other.user_id
    WHERE other.org_id = member.org_id AND other.user_id <> $1 AND other.role = 'owner'
      AND users.disabled_at IS NULL
  )
  LIMIT 1`;

/** Removes a user whose account is deleted from every organization. */
@Injectable()
export class DeletedAccountMemberships implements MembershipRemoval {
  constructor(
    private readonly users: UserRepository,
    private readonly organizations: OrganizationRepository,
    private readonly memberships: Memberships,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws last_owner */
  async removeFromAll(tx: Tx, userId: string, origin: Origin): Promise<void> {
    await this.lockWithOrganizations(tx, userId);
    const ownedAlone = await rows(tx, OWNED_ALONE, [userId]);
    if (ownedAlone.length > 0) {
      throw new ServiceError('last_owner', {
        hint: 'Make someone else an owner, or delete the organization.',
      });
    }
    const left = await rows<{ org_id: string; role: string }>(
      tx,
      'DELETE FROM members WHERE user_id = $1 RETURNING org_id, role',
      [userId],
    );
    for (const { org_id: orgId, role } of left.sort((a, b) => (a.org_id < b.org_id ? -1 : 1))) {
      await this.audit.append(tx, {
        actor: { type: 'user', id: userId },
        action: 'member.left',
        target: { type: 'user', id: userId },
        tenantId: orgId,
        userId: null,
        origin,
        details: { role, reason: 'account_deleted' },
      });
    }
    await this.memberships.changed(tx, userId);
  }

  /**
   * Locks the user's organizations and then the user, whom nobody can add to another one from then on. If the user
   * joined one in between, it releases all locks and starts again: to lock that one last would be the wrong order.
   */
  private async lockWithOrganizations(tx: Tx, userId: string): Promise<void> {
    for (;;) {
      await rows(tx, 'SAVEPOINT before_locks');
      const locked = await this.organizations.lockAllOfUser(tx, userId);
      await this.users.lockForDeletion(tx, userId);
      const others = await rows(tx, 'SELECT FROM members WHERE user_id = $1 AND org_id <> ALL ($2)', [
        userId,
        locked,
      ]);
      if (others.length === 0) return;
      await rows(tx, 'ROLLBACK TO SAVEPOINT before_locks');
    }
  }
}
