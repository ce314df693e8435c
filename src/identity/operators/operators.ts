import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../audit/index.js';
import type { AuditContext } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { Accounts } from '../accounts/accounts.js';
import { IdentityProfile } from '../retention/identity-profile.js';
import { UserRepository } from '../users/user.repository.js';
import type { UserEntity } from '../users/user.repository.js';
import { OperatorRepository } from './operator.repository.js';
import type { Operator, OperatorAccess } from './operator.repository.js';
import { NO_METADATA } from '../users/metadata.js';

/** The accounts that operate the deployment. */
@Injectable()
export class Operators {
  constructor(
    private readonly database: Database,
    private readonly operators: OperatorRepository,
    private readonly users: UserRepository,
    private readonly accounts: Accounts,
    private readonly profile: IdentityProfile,
    private readonly audit: AuditTrail,
  ) {}

  async list(): Promise<Operator[]> {
    return await this.operators.list(this.database.reader);
  }

  /** What the account may do; null where it operates nothing. */
  async accessOf(userId: string): Promise<OperatorAccess | null> {
    return await this.operators.accessOf(this.database.reader, userId);
  }

  async findAccount(email: string): Promise<UserEntity | null> {
    return await this.users.findByEmail(this.database.reader, this.profile.operatorRealm, email);
  }

  /** Makes the account an operator, or changes what it may do. Repeating it changes nothing. */
  async add(tx: Tx, { id }: UserEntity, access: OperatorAccess, by: AuditContext): Promise<void> {
    const before = await this.operators.put(tx, id, access);
    if (before === access) return;
    const details = before === null ? { access } : { access, access_before: before };
    await this.audit.append(tx, accountEvent(id, { ...by, action: 'operator.added', details }));
  }

  /** Creates an account that is an operator; null when the address has an account. */
  async create(
    tx: Tx,
    account: { readonly email: string; readonly passwordHash: string | null },
    access: OperatorAccess,
    by: AuditContext,
  ): Promise<UserEntity | null> {
    const { operatorRealm } = this.profile;
    const unproven = { ...account, emailVerified: false, metadata: NO_METADATA };
    const user = await this.accounts.create(tx, operatorRealm, unproven, by.origin, {}, by.actor);
    if (user !== null) await this.add(tx, user, access, by);
    return user;
  }

  /**
   * Takes back what `add` gave. An account that is nothing but an operator's is deleted with its sessions.
   * @returns whether it was an operator
   */
  async remove({ id }: Pick<UserEntity, 'id'>, by: AuditContext): Promise<boolean> {
    return await this.database.transaction(async (tx) => {
      const user = await this.users.lockForDeletion(tx, id);
      if (user === null || !(await this.operators.remove(tx, id))) return false;
      await this.audit.append(tx, accountEvent(id, { ...by, action: 'operator.removed' }));
      if (this.profile.hasOperatorAccountsApart) await this.accounts.delete(tx, id, by.actor, by.origin);
      return true;
    });
  }
}
