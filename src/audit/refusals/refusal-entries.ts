import { Inject, Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { PeriodicService } from '../../platform/lifecycle/index.js';
import { AuditTrail } from '../audit-trail.js';
import { ANONYMOUS } from '../audit-entry.js';
import type { AuditEvent } from '../audit-entry.js';
import { RefusalRepository } from './refusal.repository.js';
import type { MinuteOfRefusals } from './refusal.repository.js';

/** How many sources of one kind and chain get their own entry in a minute. The others share one. */
const APART = 100;

/** Adds the refusals counted in each minute to the trail once the minute has ended: one entry, with the count. */
@Injectable()
export class RefusalEntries extends PeriodicService {
  private readonly refusals = new RefusalRepository();

  constructor(
    private readonly database: Database,
    private readonly trail: AuditTrail,
    @Inject(CONFIG) { timing }: Config,
    registry: SchedulerRegistry,
  ) {
    super(registry, 'audit of refusals', timing.audit.refusalsMs);
  }

  /**
   * One chain in each transaction. With the heads of several chains it could deadlock with a transaction that holds one
   * of them. If several instances do this at the same time, one takes a minute and the others find nothing left of it.
   */
  async runOnce(): Promise<void> {
    while (!this.isStopping) {
      const ended = await this.refusals.ended(this.database.reader);
      if (ended === null) return;
      await this.database.transaction(async (tx) => {
        for (const counted of await this.refusals.take(tx, ended, APART))
          await this.trail.append(tx, entryOf(ended.minute, counted));
      });
    }
  }
}

function entryOf(minute: Date, { event, count, source, sources }: MinuteOfRefusals): AuditEvent {
  const details = { ...event.details, count, minute: minute.toISOString() };
  if (source !== null) return { ...event, details };
  const { action, tenantId, userId } = event;
  return {
    actor: ANONYMOUS,
    action,
    target: null,
    tenantId,
    userId,
    origin: null,
    details: { count, sources, minute: details.minute },
  };
}
