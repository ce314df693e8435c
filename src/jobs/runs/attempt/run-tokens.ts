import { Injectable } from '@nestjs/common';
import { Database, firstRow } from '../../../platform/database/index.js';
import type { RunCaller } from '../../../platform/http/index.js';
import { isRunning } from '../model/status-sql.js';

/** Checks whether the token of an attempt is still valid: it expires when the attempt ends, however it ends. */
@Injectable()
export class RunTokens {
  constructor(private readonly database: Database) {}

  /** Queries the database each time, by the run's primary key: a cache would learn of the end too late. */
  async isAlive({ runId, attempt, tenantId }: RunCaller): Promise<boolean> {
    const running = await firstRow(
      this.database.reader,
      `SELECT id FROM runs WHERE id = $1 AND ${isRunning('status')} AND attempt = $2 AND tenant_id = $3`,
      [runId, attempt, tenantId],
    );
    return running !== null;
  }
}
