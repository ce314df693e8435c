import { Injectable } from '@nestjs/common';
import type { OrganizationCommand } from '../../rbac/index.js';

/** The part of a change of an organization that a revocation needs. */
type RevokingCommand = Pick<OrganizationCommand, 'tx' | 'organizationId' | 'currentPermissions' | 'record'>;
type KeyRevocation = (command: RevokingCommand, userId: string) => Promise<void>;

/** Revokes the API keys of members who are removed. The module of API keys, which stands on this one, says how. */
@Injectable()
export class MemberKeys {
  private readonly revocations: KeyRevocation[] = [];

  /** Calls `revoke` in the transaction of a removal that is to revoke the member's keys. */
  follow(revoke: KeyRevocation): void {
    this.revocations.push(revoke);
  }

  /** @throws permission_denied, permission_not_held */
  async revoke(command: RevokingCommand, userId: string): Promise<void> {
    for (const revoke of this.revocations) await revoke(command, userId);
  }
}
