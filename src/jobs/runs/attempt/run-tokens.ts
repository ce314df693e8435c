import { Injectable } from '@nestjs/common';
import { Database, firstRow } from '../../../platform/database/index.js';
import type { RunCaller } from '../../../platform/http/index.js';

/** Whether the token of an attempt still counts: it dies with the attempt, however that ends. */
@Injectable()
export class RunTokens {
  constructor(private readonly database: Database) {}

  /** Asks the database each time, by the run's primary key: no cache would be in time. */
  async isAlive({ runId, attempt, tenantId }: RunCaller): Promise<boolean> {
    const running = await firstRow(
      this.database.reader,
      `SELECT id FROM runs WHERE id = $1 AND status = 'running' AND attempt = $2 AND tenant_id = $3`,
      [runId, attempt, tenantId],
    );
    return running !== null;
  }
}
