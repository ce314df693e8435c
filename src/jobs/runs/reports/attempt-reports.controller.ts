import { Body, Controller, Param } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { BodyMemberText, CurrentCaller, CurrentTenant, Endpoint, TakesBody } from '../../../http/index.js';
import type { Caller, Tenant } from '../../../http/index.js';
import { RunDto, toRunDto } from '../http/dto/run.js';
import type { AttemptName } from '../model/run.js';
import { requireOwnAttempt } from '../model/run-reach.js';
import { RunLists } from '../search/run-lists.js';
import { AttemptReports } from './attempt-reports.js';
import { CompleteBody, FailBody, HandlerLineDto, HeartbeatDto } from './dto/attempt-report.js';
import { linesOf, MAX_LINES } from './reported-lines.js';

const BY_TOKEN = 'By the token with which the handler of this attempt was called, even once it has expired. ';
const ERRORS = [
  'validation_failed',
  'run_token_required',
  'run_not_found',
  'attempt_ended',
  'run_cancelled',
] as const;

@ApiTags('Jobs')
@ApiExtraModels(HandlerLineDto)
@Controller('jobs/v1/runs/:id/attempts/:number')
export class AttemptReportsController {
  constructor(
    private readonly reports: AttemptReports,
    private readonly runs: RunLists,
  ) {}

  @Endpoint.post('complete', {
    access: 'jobs:runs:report',
    runTokens: 'attempt',
    summary: 'Say that a deferred attempt has succeeded',
    description:
      BY_TOKEN +
      'A handler defers its attempt by answering 202 with `Service-Defer: true`. The same report again has the same answer.',
    status: 200,
    response: RunDto,
    errors: [...ERRORS, 'payload_too_large'],
  })
  @TakesBody('result')
  async complete(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('number') number: string,
    @Body() _body: CompleteBody,
    @BodyMemberText('result') result: string | null,
  ): Promise<RunDto> {
    const attempt = requireOwnAttempt(tenant, caller, id, number);
    await this.reports.complete(attempt, result);
    return await this.shown(attempt);
  }

  @Endpoint.post('fail', {
    access: 'jobs:runs:report',
    runTokens: 'attempt',
    summary: 'Say that a deferred attempt has failed',
    description: BY_TOKEN + 'The run is retried as after any failure, unless it is `fatal`.',
    status: 200,
    response: RunDto,
    errors: ERRORS,
  })
  async fail(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('number') number: string,
    @Body() { error = 'the handler reported a failure', fatal = false, retry_after_ms }: FailBody,
  ): Promise<RunDto> {
    const attempt = requireOwnAttempt(tenant, caller, id, number);
    await this.reports.fail(attempt, {
      message: error,
      isFatal: fatal,
      retryAfterMs: retry_after_ms ?? null,
    });
    return await this.shown(attempt);
  }

  @Endpoint.post('heartbeat', {
    access: 'jobs:runs:report',
    runTokens: 'attempt',
    summary: 'Say that a deferred attempt goes on',
    description:
      BY_TOKEN +
      'The attempt goes on for `timeout_ms` of its job from now; without a sign of life for so long, it ends as a timeout.',
    status: 200,
    response: HeartbeatDto,
    errors: ERRORS,
  })
  async heartbeat(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('number') number: string,
  ): Promise<HeartbeatDto> {
    const { expiresAt, token } = await this.reports.heartbeat(requireOwnAttempt(tenant, caller, id, number));
    return { expires_at: expiresAt.toISOString(), token };
  }

  @Endpoint.post('log', {
    access: 'jobs:runs:report',
    runTokens: 'attempt',
    summary: 'Add lines to the log of the run',
    description: `${BY_TOKEN}A list of up to ${MAX_LINES} lines. This is a sign of life, too.`,
    status: 204,
    errors: [...ERRORS, 'payload_too_large'],
  })
  @ApiBody({
    schema: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_LINES,
      items: { $ref: getSchemaPath(HandlerLineDto) },
    },
  })
  @TakesBody('document')
  async log(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('number') number: string,
    @Body() lines: unknown,
  ): Promise<void> {
    await this.reports.log(requireOwnAttempt(tenant, caller, id, number), linesOf(lines));
  }

  private async shown({ tenantId, runId }: AttemptName): Promise<RunDto> {
    return toRunDto(await this.runs.find(tenantId, runId));
  }
}
