import { Body, Controller, Headers, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { callerKey } from '../../../audit/index.js';
import {
  BodyMemberText,
  CurrentCaller,
  CurrentTenant,
  Endpoint,
  RequestOrigin,
  TakesBody,
  TraceParent,
} from '../../../http/index.js';
import type { Page, Caller, Origin, Tenant } from '../../../http/index.js';
import { RunDetailsDto, RunDto, toRunDetailsDto, toRunDto } from './dto/run.js';
import { CancelQuery, RunsQuery, toRunFilters } from './dto/run-query.js';
import { RetryBody } from './dto/trigger-body.js';
import { idempotencyKeyOf, TakesIdempotencyKey } from './idempotency-key.js';
import { requireFullReach, runOwner } from '../model/run-reach.js';
import { RunCancellation } from '../finish/run-cancellation.js';
import { RunRetries } from '../enqueue/run-retries.js';
import { RunLists } from '../search/run-lists.js';

@ApiTags('Jobs')
@Controller('jobs/v1')
export class RunsController {
  constructor(
    private readonly runs: RunLists,
    private readonly retries: RunRetries,
    private readonly cancellation: RunCancellation,
  ) {}

  @Endpoint.get('runs', {
    access: 'jobs:runs:read',
    summary: 'Runs, newest first',
    description:
      'The filters hold together; the next page, which the `Link` header names, has the same. With `payload`, ' +
      '`handler` or `min_duration_ms`, or with two of `error_code`, `status`, `job_id` and `trigger`, a page examines ' +
      'the next 10,000 runs that match one of the filters, with `payload` those of the next 32 MiB of payloads: it may have fewer runs than `limit`, or none, and there ' +
      'are more as long as the header names a next page.',
    response: [RunDto],
    errors: ['validation_failed', 'search_too_long', 'rate_limited', 'overloaded'],
  })
  async list(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Query() query: RunsQuery,
  ): Promise<Page<RunDto>> {
    const ownerId = runOwner(tenant, caller);
    const filters = toRunFilters(query, ownerId);
    const { sort: order = 'created_at', limit, cursor } = query;
    const page = await this.runs.list(tenant.id, {
      filters,
      caller: callerKey(caller),
      order,
      limit,
      cursor,
    });
    return page.map((run) => toRunDto(run, ownerId));
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
    const ownerId = runOwner(tenant, caller);
    return toRunDetailsDto(await this.runs.find(tenant.id, id, ownerId), ownerId);
  }

  @Endpoint.post('runs/:id/cancel', {
    access: 'jobs:runs:cancel',
    summary: 'End a run that has not ended',
    description:
      'The call to the handler is closed if one is in progress; its answer would change nothing. With `children`, the ' +
      'runs that its handler triggered, and those that theirs did, end too, all at once: none of them starts ' +
      'afterwards. This also works on a run that has ended as long as one of them has not.',
    status: 200,
    response: RunDto,
    errors: ['validation_failed', 'run_not_found', 'run_finished', 'too_many_runs'],
  })
  async cancel(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() { children = false }: CancelQuery,
    @RequestOrigin() origin: Origin,
  ): Promise<RunDto> {
    await (children
      ? this.cancellation.cancelTree(tenant.id, id, caller, origin)
      : this.cancellation.cancel(tenant.id, id, caller, origin));
    return toRunDto(await this.runs.find(tenant.id, id));
  }

  @Endpoint.post('runs/:id/retry', {
    access: 'jobs:jobs:trigger',
    summary: 'Run again what has ended',
    description:
      'Makes a new run with the same trigger and `retry_of`, and with the same payload unless the body has another. ' +
      'Handler, time limit and retries are those that the job has now; a paused job runs too.',
    status: 202,
    response: RunDto,
    errors: [
      'validation_failed',
      'limit_reached',
      'run_not_found',
      'run_unfinished',
      'job_deleted',
      'idempotency_mismatch',
      'payload_too_large',
    ],
  })
  @TakesBody('payload')
  @TakesIdempotencyKey()
  async retry(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() _body: RetryBody,
    @BodyMemberText('payload') payload: string | null,
    @Headers('idempotency-key') key: string | undefined,
    @RequestOrigin() origin: Origin,
    @TraceParent() traceParent: string | null,
  ): Promise<RunDto> {
    // Whoever passes this may also trigger the job, with any payload.
    requireFullReach(tenant);
    const idempotencyKey = idempotencyKeyOf(key);
    return toRunDto(
      await this.retries.retry(tenant.id, id, { caller, origin, traceParent, payload, idempotencyKey }),
    );
  }
}
