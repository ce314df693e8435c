import { Injectable } from '@nestjs/common';
import { AuditEntryRepository, AuditNames, toNamedAuditEntryDto } from '../../../audit/index.js';
import type { AuditEntryDto } from '../../../audit/index.js';
import { Database } from '../../../platform/database/index.js';
import { decodeCursor, pageOf } from '../../../http/index.js';
import type { Page, PageQuery } from '../../../http/index.js';
import { ManagedUsers } from '../users/managed-users.js';
import type { ManagedUserReference } from '../users/managed-users.js';

/** The audit trail of an account, for an operator or a service key. */
@Injectable()
export class ManagedUserAudit {
  constructor(
    private readonly database: Database,
    private readonly managed: ManagedUsers,
    private readonly entries: AuditEntryRepository,
    private readonly names: AuditNames,
  ) {}

  /** Newest first. @throws user_not_found */
  async list(user: ManagedUserReference, { limit, cursor }: PageQuery): Promise<Page<AuditEntryDto>> {
    const { reader } = this.database;
    const before = decodeCursor(cursor);
    const { id } = await this.managed.require(reader, user);
    const found = await this.entries.listOfUser(reader, id, { limit: limit + 1, before });
    const page = pageOf(found, limit, (last) => last.id);
    const nameOf = await this.names.of(page.items, 'deployment');
    return page.map((entry) => toNamedAuditEntryDto(entry, nameOf));
  }
}
