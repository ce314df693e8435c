import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { FieldProblems, TenantId } from '../../http/index.js';
import { EVENT_TYPES, JOB_EVENTS, Tenancy } from '../../tenancy/index.js';
import type { EventType } from '../../tenancy/index.js';
import type { EventTriggerDto, JobTriggers, DeclaredTrigger, TriggerKind } from '../triggers/index.js';
import { EventTriggerRepository } from './event-trigger.repository.js';

/** Of each event in a tenant: what happens captures a row for each of them in its own transaction. */
const MAX_LISTENERS = 50;

const CONCERN_A_JOB: ReadonlySet<EventType> = new Set(JOB_EVENTS);

/** What is none has been refused already, and may be anything. */
function isEvent(event: unknown): event is EventType {
  return (EVENT_TYPES as readonly unknown[]).includes(event);
}

/** Triggers on what happens in the tenant (contract, section 12, event triggers). */
@Injectable()
export class EventTriggers implements TriggerKind<EventTriggerDto> {
  readonly type = 'event';

  constructor(
    private readonly triggers: EventTriggerRepository,
    private readonly tenancy: Tenancy,
  ) {}

  async findProblems(
    _tx: Tx,
    _tenantId: TenantId,
    triggers: readonly DeclaredTrigger<Partial<EventTriggerDto> & { type: 'event' }>[],
    problems: FieldProblems,
  ): Promise<void> {
    for (const { path, definition } of triggers) {
      const events = definition.events ?? [];
      this.addUnknown(problems, `${path}.events`, events);
      this.addUnknown(problems, `${path}.unless`, definition.unless ?? []);
      if (definition.unless !== undefined && definition.after_ms === undefined)
        problems.add(`${path}.unless`, 'needs after_ms: a run that is due at once cannot be undone');
      const others = events.filter((event) => isEvent(event) && !CONCERN_A_JOB.has(event));
      if (definition.jobs !== undefined && others.length > 0)
        problems.add(
          `${path}.jobs`,
          `limits only the events of runs and jobs; declare a trigger of its own for ${others.join(', ')}`,
        );
    }
    await Promise.resolve();
  }

  private addUnknown(problems: FieldProblems, path: string, events: readonly unknown[]): void {
    const { eventTypes, noun } = this.tenancy;
    for (const [index, event] of events.entries())
      if (isEvent(event) && !eventTypes.includes(event))
        problems.add(
          `${path}[${index}]`,
          `is not an event of an ${noun}; there are: ${eventTypes.join(', ')}`,
        );
  }

  async apply(tx: Tx, tenantId: TenantId, jobs: readonly JobTriggers<EventTriggerDto>[]): Promise<void> {
    const listened = jobs.flatMap(({ triggers }) =>
      triggers.flatMap(({ jobId, position, definition }) =>
        definition.events.map((event) => ({
          jobId,
          position,
          event,
          onlyJobs: definition.jobs ?? null,
          afterMs: definition.after_ms ?? null,
          unless: definition.unless ?? null,
        })),
      ),
    );
    await this.triggers.replace(
      tx,
      tenantId,
      jobs.map(({ jobId }) => jobId),
      listened,
    );
    const crowded = await this.triggers.firstEventOfMore(tx, tenantId, MAX_LISTENERS);
    if (crowded !== null)
      throw new ServiceError('limit_reached', {
        message: `More than ${MAX_LISTENERS} triggers would listen to ${crowded}.`,
        hint: 'Let one job listen, and trigger others from it.',
      });
  }
}
