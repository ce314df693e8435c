import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/database/index.js';
import type { FieldProblem, TenantId } from '../../platform/http/index.js';
import type { JobTriggers, PlacedTrigger, TriggerKind } from './trigger-kind.js';

/** The kinds of trigger that this program serves. Whoever serves one enrols it before the program starts. */
@Injectable()
export class TriggerKinds {
  private readonly kinds: TriggerKind[] = [];

  enrol(kind: TriggerKind): void {
    this.kinds.push(kind);
  }

  async problems(tx: Tx, tenantId: TenantId, triggers: readonly PlacedTrigger[]): Promise<FieldProblem[]> {
    const problems: FieldProblem[] = [];
    for (const kind of this.kinds) {
      problems.push(...(await kind.problems(tx, tenantId, ofKind(kind, triggers))));
    }
    const served = new Set<string>(this.kinds.map((kind) => kind.type));
    const unserved = triggers.filter(({ definition }) => !served.has(definition.type));
    return [...problems, ...unserved.map(({ path }) => ({ path: `${path}.type`, message: 'is not served' }))];
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
