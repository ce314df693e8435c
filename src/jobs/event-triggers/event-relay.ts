import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { RUN_EVENTS } from '../../tenancy/index.js';
import type { EventType } from '../../tenancy/index.js';
import { OutboxRelay } from '../outbox/index.js';
import { RunEnqueuer } from '../runs/enqueue/run-enqueuer.js';
import type { RunTrigger } from '../runs/model/run.js';
import { TenantEventRepository } from './tenant-event.repository.js';
import type { CapturedEvent } from './tenant-event.repository.js';

const ENDS: ReadonlySet<EventType> = new Set(RUN_EVENTS);

/** Creates runs for captured events of tenants. */
@Injectable()
export class EventRelay extends OutboxRelay<CapturedEvent> {
  readonly name = 'events of tenants';

  constructor(
    database: Database,
    events: TenantEventRepository,
    enqueuer: RunEnqueuer,
    @Inject(CONFIG) config: Config,
  ) {
    super(database, events, enqueuer, config);
  }

  protected override triggerOf({ event, eventId, depth, followsRunEvent }: CapturedEvent): RunTrigger {
    return {
      type: 'event',
      event: { type: event, id: eventId },
      origin: { depth, run_event: followsRunEvent || ENDS.has(event) },
    };
  }
}
