import { Injectable } from '@nestjs/common';
import type { AuditEvent, AuditContext } from '../audit/index.js';
import { ImportTenants, nameOf, refuse } from '../identity/index.js';
import type {
  LockedTenants,
  ImportedAccount,
  ImportProblem,
  TenantField,
  RealmId,
  WantedAccount,
} from '../identity/index.js';
import type { Tx } from '../platform/database/index.js';
import { ProjectDirectory } from './project-directory.js';
import { ProjectRepository } from './project.repository.js';

/** Imported accounts are users of the project that their line names. */
@Injectable()
export class ProjectImports extends ImportTenants {
  constructor(
    private readonly directory: ProjectDirectory,
    private readonly projects: ProjectRepository,
  ) {
    super();
  }

  override field(only: string | null): TenantField {
    return {
      name: 'project',
      read: (value) => {
        if (value === undefined || value === null) {
          return only === null ? refuse('project is missing.') : [{ name: only, role: null }];
        }
        const name = nameOf(value, 'project');
        if (only !== null && name !== only) refuse(`project must be ${only} here.`, 'unknown_project');
        return [{ name, role: null }];
      },
    };
  }

  override async realmsOf(wanted: readonly WantedAccount[]): Promise<(RealmId | ImportProblem)[]> {
    const ids = new Map<string, RealmId>();
    for (const ref of new Set(wanted.map(refOf))) {
      const found = await this.directory.findByRef(ref);
      if (found !== null) ids.set(ref, found.id as string as RealmId);
    }
    return wanted.map((account) => ids.get(refOf(account)) ?? unknownProject(refOf(account)));
  }

  override async lock(tx: Tx, wanted: readonly WantedAccount[]): Promise<LockedTenants> {
    // A project that is being deleted takes its users with it, and gets no new ones behind that.
    const ids = await this.projects.holdByRefs(tx, [...new Set(wanted.map(refOf))]);
    return {
      problemOf: (account, realmId) =>
        ids.get(refOf(account)) === realmId ? null : unknownProject(refOf(account)),
      addAccounts: (accounts, by) => Promise.resolve(eventsOf(accounts, ids, by)),
    };
  }
}

function refOf({ tenants }: WantedAccount): string {
  return tenants[0]?.name ?? '';
}

function unknownProject(ref: string): ImportProblem {
  return { code: 'unknown_project', message: `There is no project ${ref}.` };
}

/** One for each project. */
function eventsOf(
  accounts: readonly ImportedAccount[],
  ids: ReadonlyMap<string, string>,
  { actor, origin }: AuditContext,
): AuditEvent[] {
  return [...ids].flatMap(([ref, projectId]) => {
    const lines = accounts.filter(({ wanted }) => refOf(wanted) === ref).map(({ wanted }) => wanted.line);
    if (lines.length === 0) return [];
    const details = { accounts: lines.length, first_line: Math.min(...lines), last_line: Math.max(...lines) };
    const target = { type: 'project', id: projectId };
    return { actor, action: 'users.imported', target, tenantId: projectId, userId: null, origin, details };
  });
}
