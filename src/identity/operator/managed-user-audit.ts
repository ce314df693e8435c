import { Injectable } from '@nestjs/common';
import { AuditEntryRepository } from '../../audit/index.js';
import type { AuditEntry } from '../../audit/index.js';
import { Database } from '../../platform/database/index.js';
import { decodeCursor, pageOf } from '../../http/index.js';
import type { Page, PageQuery } from '../../http/index.js';
import { ManagedUsers } from './managed-users.js';
import type { ManagedUserReference } from './managed-users.js';

/** The audit trail of an account, for an operator or a service key. */
@Injectable()
export class ManagedUserAudit {
  constructor(
    private readonly database: Database,
    private readonly managed: ManagedUsers,
    private readonly entries: AuditEntryRepository,
  ) {}

  /** Newest first. @throws user_not_found */
  async list(user: ManagedUserReference, { limit, cursor }: PageQuery): Promise<Page<AuditEntry>> {
    const { reader } = this.database;
    const before = decodeCursor(cursor);
    const { id } = await this.managed.require(reader, user);
    const found = await this.entries.listOfUser(reader, id, { limit: limit + 1, before });
    return pageOf(found, limit, (last) => last.id);
  }
}
