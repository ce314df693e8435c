import { Body, Controller, Headers, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  BodyItemTexts,
  BodyMemberText,
  CurrentCaller,
  CurrentTenant,
  Endpoint,
  ServiceError,
  TakesBody,
  TraceParent,
} from '../../../http/index.js';
import type { Caller, Tenant } from '../../../http/index.js';
import { RunDto, toRunDto } from './dto/run.js';
import { BatchBody, BatchRunsDto, TriggerBody } from './dto/trigger-body.js';
import { idempotencyKeyOf, TakesIdempotencyKey } from './idempotency-key.js';
import { RunTriggers } from '../enqueue/run-triggers.js';
import type { ManualTrigger } from '../enqueue/run-triggers.js';

/** @param payload the text of the body's payload, or null */
function manualTrigger(
  { delay_ms: delayMs, run_at: runAt, priority }: TriggerBody,
  payload: string | null,
  { idempotencyKey, traceParent }: Pick<ManualTrigger, 'idempotencyKey' | 'traceParent'>,
): ManualTrigger {
  return {
    payload: payload ?? '{}',
    priority: priority ?? null,
    delayMs: delayMs ?? 0,
    runAt: runAt === undefined ? null : new Date(runAt),
    idempotencyKey,
    traceParent,
  };
}

@ApiTags('Jobs')
@Controller('jobs/v1')
export class TriggersController {
  constructor(private readonly triggers: RunTriggers) {}

  @Endpoint.post('jobs/:id/trigger', {
    access: 'jobs:jobs:trigger',
    summary: 'Run a job now, after a delay, or at an instant',
    description: 'The answer means that the run is stored and will end, whatever happens to this server.',
    status: 202,
    response: RunDto,
    errors: [
      'validation_failed',
      'limit_reached',
      'job_not_found',
      'idempotency_mismatch',
      'payload_too_large',
    ],
  })
  @TakesBody('payload')
  @TakesIdempotencyKey()
  async trigger(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') jobId: string,
    @Body() body: TriggerBody,
    @BodyMemberText('payload') payload: string | null,
    @Headers('idempotency-key') key: string | undefined,
    @TraceParent() traceParent: string | null,
  ): Promise<RunDto> {
    const trigger = manualTrigger(body, payload, { idempotencyKey: idempotencyKeyOf(key), traceParent });
    return toRunDto(await this.triggers.trigger(tenant, jobId, trigger, caller));
  }

  @Endpoint.post('jobs/:id/trigger/batch', {
    access: 'jobs:jobs:trigger',
    summary: 'Run a job many times',
    description:
      'All of the runs or none. An item with the `idempotency_key` of an earlier trigger, in this batch or within the ' +
      'last 24 hours, gives the run of that trigger; so a batch in which every item has a key can be sent again. The ' +
      'payload of an item may be as large as the body of a single trigger.',
    status: 202,
    response: BatchRunsDto,
    errors: [
      'validation_failed',
      'limit_reached',
      'job_not_found',
      'idempotency_mismatch',
      'payload_too_large',
    ],
  })
  @TakesBody('payloads')
  async triggerBatch(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') jobId: string,
    @Body() { items }: BatchBody,
    @BodyItemTexts('payload') payloads: ReadonlyMap<number, string>,
    @Headers('idempotency-key') key: string | undefined,
    @TraceParent() traceParent: string | null,
  ): Promise<BatchRunsDto> {
    if (key !== undefined)
      throw new ServiceError('validation_failed', {
        details: [
          { path: 'Idempotency-Key', message: 'is for a single trigger; give each item its idempotency_key' },
        ],
      });
    const triggers = items.map((item, index) =>
      manualTrigger(item, payloads.get(index) ?? null, {
        idempotencyKey: item.idempotency_key ?? null,
        traceParent,
      }),
    );
    return {
      runs: (await this.triggers.triggerAll(tenant, jobId, triggers, caller)).map((run) => toRunDto(run)),
    };
  }
}
