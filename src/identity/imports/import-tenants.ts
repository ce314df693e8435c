import type { AuditEvent, AuditContext } from '../../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { RealmId } from '../users/user.repository.js';
import type { TenantField, WantedAccount } from './import-line.js';
import type { ImportProblem } from './import-report.js';

/** An account of the transaction, and the line that asked for it. */
export interface ImportedAccount {
  readonly id: string;
  readonly wanted: WantedAccount;
}

/** The tenants of a batch's accounts, locked until the end of the transaction. */
export interface LockedTenants {
  /** Why an account cannot belong where its line says, which was this realm a moment ago; null where it can. */
  problemOf(wanted: WantedAccount, realmId: RealmId): ImportProblem | null;

  /**
   * Adds accounts that were created to the tenants that their lines name.
   * @returns the audit entries of the tenants, one each
   */
  addAccounts(accounts: readonly ImportedAccount[], by: AuditContext): Promise<AuditEvent[]>;
}

/** The tenants of imported accounts. The module of each profile's tenants provides it. */
export abstract class ImportTenants {
  /** @param only the only tenant that lines may name, which they then need not; null for any */
  abstract field(only: string | null): TenantField;

  /** The realms of accounts, in their order, or why there is none. */
  abstract realmsOf(wanted: readonly WantedAccount[]): Promise<(RealmId | ImportProblem)[]>;

  /** Locks the tenants of the accounts, always in the same order and before any account. */
  abstract lock(tx: Tx, wanted: readonly WantedAccount[]): Promise<LockedTenants>;
}
