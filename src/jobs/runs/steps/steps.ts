import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { ServiceError } from '../../../http/index.js';
import type { TenantId } from '../../../http/index.js';
import { refusalOf } from '../finish/attempt-refusal.js';
import { ReportedEnds } from '../finish/reported-ends.js';
import type { AttemptName } from '../model/run.js';
import { MAX_STEPS, StepRepository } from './step.repository.js';
import type { Step, StepSummary } from './step.repository.js';

/** What one step may keep, as JSON text. */
export const MAX_VALUE_BYTES = 262_144;

/**
 * What handlers have done without having ended: each step is kept once, so that a later attempt of the run takes its
 * result in place of doing it again.
 */
@Injectable()
export class Steps {
  constructor(
    private readonly database: Database,
    private readonly steps: StepRepository,
    private readonly ends: ReportedEnds,
  ) {}

  /**
   * Keeps the step and returns it. If the run has one of this name, returns that one and changes nothing.
   * @param value JSON text
   * @throws validation_failed, limit_reached, run_not_found, attempt_ended, run_cancelled
   */
  async keep(attempt: AttemptName, name: string, value: string): Promise<Step> {
    if (Buffer.byteLength(value) > MAX_VALUE_BYTES)
      throw new ServiceError('validation_failed', {
        details: [{ path: 'value', message: `must be at most ${MAX_VALUE_BYTES} bytes of JSON` }],
      });
    const kept = await this.steps.keep(this.database.autoCommit, attempt, { name, value });
    if (kept === null) throw refusalOf(await this.ends.stateOf(attempt));
    // Another request may have kept it after this one's snapshot, so it is looked up with a new one.
    const step = kept.step ?? (await this.findOrNone(attempt.tenantId, attempt.runId, name));
    if (step === null)
      throw new ServiceError('limit_reached', {
        message: `The run has ${MAX_STEPS} steps.`,
        hint: 'Keep what belongs together as one step, or let a child run do a part.',
      });
    return step;
  }

  /** The steps of a run, the earliest first. @throws run_not_found */
  async list(tenantId: TenantId, runId: string): Promise<StepSummary[]> {
    const found = await this.steps.list(this.database.reader, tenantId, runId);
    if (found === null) throw new ServiceError('run_not_found');
    return found;
  }

  /** @throws run_not_found, step_not_found */
  async find(tenantId: TenantId, runId: string, name: string): Promise<Step> {
    const step = await this.findOrNone(tenantId, runId, name);
    if (step === null) throw new ServiceError('step_not_found');
    return step;
  }

  /**
   * A step of the run, for the handler of an attempt that goes on.
   * @throws step_not_found, run_not_found, attempt_ended, run_cancelled
   */
  async findOwn(attempt: AttemptName, name: string): Promise<Step> {
    const found = await this.steps.findOwn(this.database.reader, attempt, name);
    if (found === null) throw refusalOf(await this.ends.stateOf(attempt));
    if (found.step === null) throw new ServiceError('step_not_found');
    return found.step;
  }

  private async findOrNone(tenantId: TenantId, runId: string, name: string): Promise<Step | null> {
    const found = await this.steps.find(this.database.reader, tenantId, runId, name);
    if (found === null) throw new ServiceError('run_not_found');
    return found.step;
  }
}
