import { Injectable } from '@nestjs/common';
import { AuditEntryRepository } from '../../../../audit/index.js';
import type { AuditEntry } from '../../../../audit/index.js';
import { Database } from '../../../../platform/database/index.js';
import { decodeCursor, pageOf, ServiceError } from '../../../../http/index.js';
import type { Origin, Page, PageQuery, UserCaller } from '../../../../http/index.js';
import { AccountUpdates } from '../../../accounts/account-updates.js';
import type { AccountPatch } from '../../../accounts/account-updates.js';
import { UserRepository } from '../../../users/user.repository.js';
import { toUserDto } from '../dto/user.js';
import type { CurrentUserDto } from '../dto/user.js';
import { UserOrganizations } from '../organizations.js';

@Injectable()
export class Profile {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly organizations: UserOrganizations,
    private readonly updates: AccountUpdates,
    private readonly auditEntries: AuditEntryRepository,
  ) {}

  /** @throws invalid_access_token when the account no longer exists while its token still lives */
  async ofUser(userId: string): Promise<CurrentUserDto> {
    const user = await this.users.findById(this.database.reader, userId);
    if (user === null) throw new ServiceError('invalid_access_token');
    return { ...toUserDto(user), orgs: await this.organizations.ofUser(userId) };
  }

  /** @throws validation_failed, wrong_password, overloaded */
  async update(caller: UserCaller, patch: AccountPatch, origin: Origin): Promise<CurrentUserDto> {
    await this.updates.update(caller, patch, origin);
    return await this.ofUser(caller.userId);
  }

  /** The entries of the account, newest first. */
  async auditOf(userId: string, { limit, cursor }: PageQuery): Promise<Page<AuditEntry>> {
    const before = decodeCursor(cursor);
    const found = await this.auditEntries.listOfUser(this.database.reader, userId, {
      limit: limit + 1,
      before,
    });
    return pageOf(found, limit, ({ id }) => id);
  }
}
