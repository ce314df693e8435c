import { Injectable } from '@nestjs/common';
import { accountEvent, AuditTrail } from '../../audit/index.js';
import type { AuditEvent, AuditContext } from '../../audit/index.js';
import { newId } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { BodyLine } from '../../http/index.js';
import { Clock, TimeSlice } from '../../platform/lifecycle/index.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import type { RealmId } from '../users/user.repository.js';
import { inBatches } from './import-batches.js';
import { parseImportLine } from './import-line.js';
import type { TenantField, WantedAccount } from './import-line.js';
import { ImportTenants } from './import-tenants.js';
import { ImportRepository } from './import.repository.js';
import type { AccountToInsert } from './import.repository.js';
import type { ImportProblem, ImportReport, LineProblem } from './import-report.js';

/** The key under which the imports of a process take turns. */
const TURN = 'user imports';

const EXISTS: ImportProblem = { code: 'exists', message: 'The address has an account already.' };
const INVITED: ImportProblem = {
  code: 'invitation_pending',
  message: 'The address has an invitation that nobody has accepted yet.',
};
const TWICE: ImportProblem = { code: 'exists', message: 'An earlier line has the same address.' };

interface Candidate {
  readonly realmId: RealmId;
  readonly wanted: WantedAccount;
}

/** As `ImportRepository.existing` names addresses. */
function keyOf({ realmId, wanted }: Candidate): string {
  return `${realmId} ${wanted.email}`;
}

/** The problems of one import, and how many accounts it created. */
class Progress {
  created = 0;
  private readonly problems: LineProblem[] = [];

  add(...problems: LineProblem[]): void {
    this.problems.push(...problems);
  }

  refuse({ line, email }: WantedAccount, problem: ImportProblem): void {
    this.problems.push({ line, email, ...problem });
  }

  report(): ImportReport {
    return { created: this.created, problems: this.problems.sort((one, other) => one.line - other.line) };
  }
}

/**
 * Creates accounts with the hashes of other systems. A line becomes an account with all of its memberships, or nothing.
 * Lines whose address has an account change nothing, so that an import that was interrupted can run again from its
 * beginning, and two imports of one file at the same time give the same accounts as one.
 */
@Injectable()
export class UserImports {
  constructor(
    private readonly database: Database,
    private readonly tenants: ImportTenants,
    private readonly accounts: ImportRepository,
    private readonly hasher: PasswordHasher,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /**
   * @param firstLine the number of the first line of `lines` in the file that they are part of
   * @param only the only tenant that lines may name, which they then need not
   * @throws overloaded when too many imports wait; what was imported until then stays
   */
  async run(
    lines: readonly BodyLine[],
    { firstLine, only = null }: { readonly firstLine: number; readonly only?: string | null },
    by: AuditContext,
  ): Promise<ImportReport> {
    const progress = new Progress();
    const wanted = await this.parse(lines, firstLine, this.tenants.field(only), progress);
    const candidates = await this.candidatesOf(wanted, progress);
    for (const batch of inBatches(candidates)) await this.importBatch(batch, progress, by);
    return progress.report();
  }

  private async parse(
    lines: readonly BodyLine[],
    firstLine: number,
    field: TenantField,
    progress: Progress,
  ): Promise<WantedAccount[]> {
    const now = this.clock.now();
    const slice = new TimeSlice();
    const wanted: WantedAccount[] = [];
    for (const line of lines) {
      const parsed = parseImportLine(line, firstLine + line.number - 1, field, now);
      if ('code' in parsed) progress.add(parsed);
      else wanted.push(parsed);
      await slice.yieldIfSpent();
    }
    return wanted;
  }

  /** Those that have a realm in which nobody has their address yet. */
  private async candidatesOf(wanted: readonly WantedAccount[], progress: Progress): Promise<Candidate[]> {
    const realms = await this.tenants.realmsOf(wanted);
    const candidates = new Map<string, Candidate>();
    for (const [index, account] of wanted.entries()) {
      const realmId = realms[index] as RealmId | ImportProblem;
      if (typeof realmId === 'object') progress.refuse(account, realmId);
      else {
        const candidate = { realmId, wanted: account };
        if (candidates.has(keyOf(candidate))) progress.refuse(account, TWICE);
        else candidates.set(keyOf(candidate), candidate);
      }
    }
    if (candidates.size === 0) return [];
    const existing = await this.accounts.existing(this.database.reader, [...candidates.values()]);
    for (const [key, account] of existing) {
      const candidate = candidates.get(key);
      if (candidate !== undefined) progress.refuse(candidate.wanted, account.isInvited ? INVITED : EXISTS);
      candidates.delete(key);
    }
    return [...candidates.values()];
  }

  private async importBatch(
    batch: readonly Candidate[],
    progress: Progress,
    by: AuditContext,
  ): Promise<void> {
    const { created, problems } = await this.database.serialTransaction(TURN, by.actor, (tx) =>
      this.insertBatch(tx, batch, by),
    );
    progress.created += created;
    progress.add(...problems);
  }

  private async insertBatch(
    tx: Tx,
    batch: readonly Candidate[],
    by: AuditContext,
  ): Promise<{ created: number; problems: LineProblem[] }> {
    const progress = new Progress();
    const tenants = await this.tenants.lock(
      tx,
      batch.map(({ wanted }) => wanted),
    );
    const accounts: AccountToInsert[] = [];
    for (const { realmId, wanted } of batch) {
      const problem = tenants.problemOf(wanted, realmId);
      if (problem === null) accounts.push(this.accountOf(realmId, wanted));
      else progress.refuse(wanted, problem);
    }
    const inserted = accounts.length === 0 ? new Set() : await this.accounts.insertAccounts(tx, accounts);
    const created = accounts.filter((account) => inserted.has(account.id));
    await this.refuseTaken(
      tx,
      accounts.filter(({ id }) => !inserted.has(id)),
      progress,
    );
    if (created.length > 0) {
      const ofTenants = await tenants.addAccounts(created, by);
      await this.audit.appendAll(tx, [...ofTenants, ...created.map((account) => importedEvent(account, by))]);
    }
    return { created: created.length, problems: [...progress.report().problems] };
  }

  /** Of those whose address was taken since the candidates were chosen. */
  private async refuseTaken(tx: Tx, taken: readonly AccountToInsert[], progress: Progress): Promise<void> {
    if (taken.length === 0) return;
    const existing = await this.accounts.existing(tx, taken);
    for (const { realmId, wanted } of taken) {
      const account = existing.get(keyOf({ realmId, wanted }));
      progress.refuse(wanted, account?.isInvited === true ? INVITED : EXISTS);
    }
  }

  private accountOf(realmId: RealmId, wanted: WantedAccount): AccountToInsert {
    const { password, createdAt } = wanted;
    const importedHash = password === null || password.kind === this.hasher.ownKind ? null : password.kind;
    return { id: newId(), realmId, wanted, importedHash, createdAt: createdAt ?? this.clock.now() };
  }
}

function importedEvent({ id, wanted }: AccountToInsert, { actor, origin }: AuditContext): AuditEvent {
  const details = { by: actor.type, email_verified: wanted.emailVerified };
  return accountEvent(id, { actor, action: 'user.imported', origin, details });
}
