import { Injectable } from '@nestjs/common';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { FieldProblem, FieldProblems, TenantId } from '../../http/index.js';
import type { TriggerDto } from './dto/trigger.js';

/** A trigger as a manifest declares it, with its path there. */
export interface DeclaredTrigger<Definition extends { type: string } = TriggerDto> {
  readonly jobId: string;
  /** Index within the job's triggers. */
  readonly position: number;
  /** Its path in the manifest, such as `jobs[1].triggers[0]`; the path of a problem begins with it. */
  readonly path: string;
  readonly definition: Definition;
}

/** What keeps a trigger of a job from doing what it declares. */
export interface TriggerFault extends FieldProblem {
  readonly jobId: string;
}

/** The triggers of one kind that a job has now; a deleted job has none. */
export interface JobTriggers<Definition extends TriggerDto = TriggerDto> {
  readonly jobId: string;
  readonly triggers: readonly DeclaredTrigger<Definition>[];
}

/** What a kind of trigger does when jobs are registered, changed or deleted. */
export interface TriggerKind<Definition extends TriggerDto = TriggerDto> {
  readonly type: Definition['type'];

  /**
   * Adds the problems of triggers that go beyond the form of their fields: those that need arithmetic or the database.
   * A field that already has a problem is missing from the definition, whatever the type says.
   */
  findProblems(
    tx: Tx,
    tenantId: TenantId,
    triggers: readonly DeclaredTrigger<Partial<Definition> & Pick<Definition, 'type'>>[],
    problems: FieldProblems,
  ): Promise<void>;

  /**
   * Updates the tables of this kind in the transaction of the registration, for every job that is created, updated or
   * deleted. If it throws a ServiceError, nothing is registered.
   */
  apply(tx: Tx, tenantId: TenantId, jobs: readonly JobTriggers<Definition>[]): Promise<void>;

  /** Restores what triggers of unchanged jobs need outside of the tables of this kind, where others may have removed it. */
  restore?(tx: Tx, triggers: readonly DeclaredTrigger<Definition>[]): Promise<void>;

  /** What keeps registered triggers from doing what they declare, where others may have changed what they need. */
  findFaults?(handle: Tx | Reader, triggers: readonly DeclaredTrigger<Definition>[]): Promise<TriggerFault[]>;
}

/** The kinds of trigger that this program serves. The module of a kind registers it before the program starts. */
@Injectable()
export class TriggerKinds {
  private readonly kinds: TriggerKind[] = [];

  register(kind: TriggerKind): void {
    this.kinds.push(kind);
  }

  async findProblems(
    tx: Tx,
    tenantId: TenantId,
    triggers: readonly DeclaredTrigger[],
    problems: FieldProblems,
  ): Promise<void> {
    for (const kind of this.kinds) await kind.findProblems(tx, tenantId, ofKind(kind, triggers), problems);
    const served = new Set<string>(this.kinds.map((kind) => kind.type));
    for (const { path, definition } of triggers)
      if (!served.has(definition.type)) problems.add(`${path}.type`, 'is not served');
  }

  async apply(tx: Tx, tenantId: TenantId, jobs: readonly JobTriggers[]): Promise<void> {
    if (jobs.length === 0) return;
    for (const kind of this.kinds) {
      await kind.apply(
        tx,
        tenantId,
        jobs.map(({ jobId, triggers }) => ({ jobId, triggers: ofKind(kind, triggers) })),
      );
    }
  }

  async findFaults(handle: Tx | Reader, triggers: readonly DeclaredTrigger[]): Promise<TriggerFault[]> {
    const faults: TriggerFault[] = [];
    for (const kind of this.kinds) {
      const ofThis = ofKind(kind, triggers);
      if (ofThis.length > 0) faults.push(...((await kind.findFaults?.(handle, ofThis)) ?? []));
    }
    return faults;
  }

  /** @param triggers of jobs that a registration leaves unchanged */
  async restore(tx: Tx, triggers: readonly DeclaredTrigger[]): Promise<void> {
    for (const kind of this.kinds) await kind.restore?.(tx, ofKind(kind, triggers));
  }
}

function ofKind(kind: TriggerKind, triggers: readonly DeclaredTrigger[]): DeclaredTrigger[] {
  return triggers.filter(({ definition }) => definition.type === kind.type);
}
