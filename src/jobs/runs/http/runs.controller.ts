import { Body, Controller, Headers, Param, Query } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import {
  BodyMemberText,
  CurrentCaller,
  CurrentTenant,
  Endpoint,
  RequestOrigin,
  ServiceError,
  TakesBody,
} from '../../../http/index.js';
import type { Page, Caller, Origin, Tenant } from '../../../http/index.js';
import { RunDetailsDto, RunDto, toRunDetailsDto, toRunDto, TriggerBody } from './dto/run.js';
import { IDEMPOTENCY_KEY, RunsQuery, toRunFilters } from './dto/run-query.js';
import { requireFullReach, runOwner } from './runs.js';
import { RunCancellation } from '../finish/run-cancellation.js';
import { Runs } from './runs.js';
import { RunLists } from '../search/run-lists.js';

function idempotencyKeyOf(header: string | undefined): string | null {
  if (header === undefined || IDEMPOTENCY_KEY.test(header)) return header ?? null;
  throw new ServiceError('validation_failed', {
    details: [{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' }],
  });
}

@ApiTags('Jobs')
@Controller('jobs/v1')
export class RunsController {
  constructor(
    private readonly runs: Runs,
    private readonly lists: RunLists,
    private readonly cancellation: RunCancellation,
  ) {}

  @Endpoint.post('jobs/:id/trigger', {
    access: 'jobs:jobs:trigger',
    summary: 'Run a job now, or after a delay',
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
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'Repeating a request with the same key within 24 hours answers the same run.',
  })
  async trigger(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') jobId: string,
    @Body() body: TriggerBody,
    @BodyMemberText('payload') payload: string | null,
    @Headers('idempotency-key') key: string | undefined,
  ): Promise<RunDto> {
    const trigger = { payload: payload ?? '{}', delayMs: body.delay_ms ?? 0 };
    const idempotencyKey = idempotencyKeyOf(key);
    return toRunDto(await this.runs.trigger(tenant, { jobId, ...trigger, idempotencyKey }, caller));
  }

  @Endpoint.get('runs', {
    access: 'jobs:runs:read',
    summary: 'Runs, newest first',
    description:
      'The filters hold together; the next page, which the `Link` header names, has the same. With `payload`, ' +
      '`handler` or `min_duration_ms`, a page examines the next 10,000 runs that match the other filters: it may have ' +
      'fewer runs than `limit`, or none, and there are more as long as the header names a next page.',
    response: [RunDto],
    errors: ['validation_failed', 'search_too_long'],
  })
  async list(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Query() query: RunsQuery,
  ): Promise<Page<RunDto>> {
    const filters = toRunFilters(query, runOwner(tenant, caller));
    const { sort: order = 'created_at', limit, cursor } = query;
    const page = await this.lists.list(tenant.id, { filters, order, limit, cursor });
    return page.map(toRunDto);
  }

  @Endpoint.get('runs/:id', {
    access: 'jobs:runs:read',
    summary: 'A run with its payload, result and attempts',
    response: RunDetailsDto,
    errors: ['run_not_found'],
  })
  async show(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<RunDetailsDto> {
    return toRunDetailsDto(await this.runs.find(tenant.id, id, runOwner(tenant, caller)));
  }

  @Endpoint.post('runs/:id/cancel', {
    access: 'jobs:runs:cancel',
    summary: 'End a run that has not ended',
    description: 'The call to the handler is closed if one is in progress; its answer would change nothing.',
    status: 200,
    response: RunDto,
    errors: ['run_not_found', 'run_finished'],
  })
  async cancel(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @RequestOrigin() origin: Origin,
  ): Promise<RunDto> {
    await this.cancellation.cancel(tenant.id, id, caller, origin);
    return toRunDto(await this.runs.find(tenant.id, id));
  }

  @Endpoint.post('runs/:id/retry', {
    access: 'jobs:jobs:trigger',
    summary: 'Run again what has ended',
    description:
      'Makes a new run with the same payload and trigger, and `retry_of`. Handler, time limit and retries are those ' +
      'that the job has now; a paused job runs too.',
    status: 202,
    response: RunDto,
    errors: ['limit_reached', 'run_not_found', 'run_unfinished', 'job_deleted'],
  })
  async retry(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @RequestOrigin() origin: Origin,
  ): Promise<RunDto> {
    requireFullReach(tenant);
    return toRunDto(await this.runs.retry(tenant.id, id, caller, origin));
  }
}
