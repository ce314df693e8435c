import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { OutboxRelay } from '../outbox/index.js';
import { RunEnqueuer } from '../runs/enqueue/run-enqueuer.js';
import type { RunTrigger } from '../runs/model/run.js';
import { DataEventRepository } from './data-event.repository.js';
import type { DataEvent } from './data-event.repository.js';

/** Creates runs for captured row changes. */
@Injectable()
export class DataEventRelay extends OutboxRelay<DataEvent> {
  readonly name = 'data events';

  constructor(
    database: Database,
    events: DataEventRepository,
    enqueuer: RunEnqueuer,
    @Inject(CONFIG) config: Config,
  ) {
    super(database, events, enqueuer, config);
  }

  protected override triggerOf({ table, event }: DataEvent): RunTrigger {
    return { type: 'data', table, event };
  }
}
