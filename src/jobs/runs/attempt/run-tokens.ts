import { Injectable } from '@nestjs/common';
import type { RunCaller } from '../../../http/index.js';
import { Database, firstRow } from '../../../platform/database/index.js';
import { Tracing } from '../../../platform/tracing/index.js';
import type { RequestTrace } from '../../../platform/tracing/index.js';
import { attemptOf } from '../../invoker/index.js';
import { OF_ATTEMPT } from '../model/status-sql.js';

/** Checks whether the token of an attempt is still valid: it expires when the attempt ends, however it ends. */
@Injectable()
export class RunTokens {
  constructor(
    private readonly database: Database,
    private readonly tracing: Tracing,
  ) {}

  /**
   * Queries the database each time, by the run's primary key: a cache would learn of the end too late.
   * @param trace of the request that carries the token
   */
  async isAlive({ runId, attempt, tenantId }: RunCaller, trace: RequestTrace | null): Promise<boolean> {
    const running = await firstRow<{ id: string; traceParent: string | null }>(
      this.database.reader,
      `SELECT id, trace_parent AS "traceParent" FROM runs_active runs WHERE ${OF_ATTEMPT}`,
      [runId, attempt, tenantId],
    );
    if (running === null) return false;
    // What the handler asks for is part of its attempt, whether or not it passes the trace on.
    trace?.follow(attemptOf(this.tracing, { ...running, attempt }));
    return true;
  }
}
