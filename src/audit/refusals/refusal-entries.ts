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

/** Sources of one kind and chain that get an entry of their own for a minute; the others share one. */
const APART = 100;

/** Enters the counted refusals of each minute in the trail once the minute has ended: one entry, with its count. */
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
   * One chain in a transaction: with the heads of several it could wait for somebody who holds one of them and waits for
   * another. Of instances that do so at once, one takes a minute and the others find nothing left of it.
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
  const { action, orgId, userId } = event;
  return {
    actor: ANONYMOUS,
    action,
    target: null,
    orgId,
    userId,
    origin: null,
    details: { count, sources, minute: details.minute },
  };
}
