import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/database/index.js';
import type { FieldProblems, TenantId } from '../../platform/http/index.js';
import type { JobTriggers, PlacedTrigger, TriggerKind } from './trigger-kind.js';

/** The kinds of trigger that this program serves. Whoever serves one registers it before the program starts. */
@Injectable()
export class TriggerKinds {
  private readonly kinds: TriggerKind[] = [];

  register(kind: TriggerKind): void {
    this.kinds.push(kind);
  }

  async findProblems(
    tx: Tx,
    tenantId: TenantId,
    triggers: readonly PlacedTrigger[],
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
}

function ofKind(kind: TriggerKind, triggers: readonly PlacedTrigger[]): PlacedTrigger[] {
  return triggers.filter(({ definition }) => definition.type === kind.type);
}
