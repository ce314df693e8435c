import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/index.js';
import type { AuditContext } from '../audit/index.js';
import { UserRepository } from '../identity/index.js';
import type { RealmId } from '../identity/index.js';
import { Database } from '../platform/database/index.js';
import { ServiceError } from '../http/index.js';
import { TenantDeletion } from '../tenancy/index.js';
import { ProjectDirectory } from './project-directory.js';
import { ProjectKeys } from './keys/project-keys.js';
import { ProjectRepository } from './project.repository.js';

/** Deletes a project with everything that belongs to it. Its audit entries and the history of its runs stay. */
@Injectable()
export class ProjectRemoval {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectRepository,
    private readonly directory: ProjectDirectory,
    private readonly keys: ProjectKeys,
    private readonly users: UserRepository,
    private readonly deletion: TenantDeletion,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws project_not_found */
  async delete(ref: string, { actor, origin }: AuditContext): Promise<void> {
    await this.database.serialTransaction(ref, actor, async (tx) => {
      const project = await this.projects.lock(tx, ref);
      if (project === null) throw new ServiceError('project_not_found');
      await this.users.deleteAllOf(tx, project.id as string as RealmId);
      // Late, because workers that also serve other projects wait for its locks; and before the audit entry, because it
      // may wait for a transaction that is about to write one and would then wait for this one.
      await this.deletion.removeRest(tx, project.id);
      await this.audit.append(tx, {
        actor,
        action: 'project.deleted',
        target: { type: 'project', id: project.id },
        tenantId: project.id,
        userId: null,
        origin,
        details: { ref, name: project.name },
      });
      await this.projects.delete(tx, project.id);
      await this.directory.changed(tx, project.id);
    });
    await this.removeKey(ref);
  }

  /** After the commit, since a rollback does not restore a file; and not if a new project has the ref. */
  private async removeKey(ref: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.projects.holdRef(tx, ref);
      if ((await this.projects.findByRef(tx, ref)) === null) await this.keys.remove(ref);
    });
  }
}
