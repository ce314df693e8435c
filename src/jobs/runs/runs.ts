import { Injectable } from '@nestjs/common';
import { newRunId, sha256 } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { pageOf, ServiceError } from '../../platform/http/index.js';
import type { Caller, Page, TenantId } from '../../platform/http/index.js';
import { requestScope } from '../../platform/logging/index.js';
import type { Run, RunDetails, RunTrigger } from './run.js';
import { RunIntake } from './run-intake.js';
import { RunRepository } from './run.repository.js';
import { RunRequestRepository } from './run-request.repository.js';

export interface ManualTrigger {
  readonly jobId: string;
  readonly payload: Record<string, unknown>;
  readonly delayMs: number;
  readonly idempotencyKey: string | null;
}

/** Runs of a tenant: set going and read. */
@Injectable()
export class Runs {
  constructor(
    private readonly database: Database,
    private readonly runs: RunRepository,
    private readonly requests: RunRequestRepository,
    private readonly intake: RunIntake,
  ) {}

  /** Accepts a run: once this returns it is committed and will end. @throws job_not_found, idempotency_mismatch */
  async trigger(tenantId: TenantId, trigger: ManualTrigger, caller: Caller): Promise<Run> {
    const id = newRunId();
    const payload = JSON.stringify(trigger.payload);
    return await this.database.transaction(async (tx) => {
      const earlier = await this.earlierRun(tx, tenantId, id, trigger, payload);
      if (earlier !== null) return earlier;
      const [run] = await this.intake.accept(tx, [
        {
          id,
          tenantId,
          payload,
          jobId: trigger.jobId,
          trigger: manualTriggerOf(caller),
          delayMs: trigger.delayMs,
          scheduledFor: null,
          retryOf: null,
          traceParent: requestScope.getStore()?.traceParent ?? null,
        },
      ]);
      if (run === undefined) throw new ServiceError('job_not_found');
      return run;
    });
  }

  async list(tenantId: TenantId, limit: number, before: string | null): Promise<Page<Run>> {
    const found = await this.runs.list(this.database.reader, tenantId, limit + 1, before);
    return pageOf(found, limit, (last) => last.id);
  }

  /** @throws run_not_found */
  async find(tenantId: TenantId, id: string): Promise<RunDetails> {
    const run = await this.runs.findById(this.database.reader, tenantId, id);
    if (run === null) throw new ServiceError('run_not_found');
    return run;
  }

  private async earlierRun(
    tx: Tx,
    tenantId: TenantId,
    runId: string,
    trigger: ManualTrigger,
    payload: string,
  ): Promise<Run | null> {
    const { jobId, idempotencyKey: key } = trigger;
    if (key === null) return null;
    const requestHash = sha256(JSON.stringify([payload, trigger.delayMs]));
    const earlier = await this.requests.claim(tx, tenantId, { jobId, key, requestHash, runId });
    if (earlier === null) return null;
    if (!earlier.requestHash.equals(requestHash)) throw new ServiceError('idempotency_mismatch');
    return await this.runs.findById(tx, tenantId, earlier.runId);
  }
}

function manualTriggerOf(caller: Caller): RunTrigger {
  return caller.type === 'user'
    ? { type: 'manual', user_id: caller.userId }
    : { type: 'manual', key_id: caller.keyId };
}
