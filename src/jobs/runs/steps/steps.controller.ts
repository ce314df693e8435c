import { Body, Controller, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import {
  BodyMemberText,
  CurrentCaller,
  CurrentTenant,
  Endpoint,
  ServiceError,
  TakesBody,
} from '../../../http/index.js';
import type { Caller, Tenant } from '../../../http/index.js';
import { requireFullReach, requireOwnRun } from '../model/run-reach.js';
import { KeepStepBody, STEP_NAME, StepDto, StepSummaryDto, toStepDto, toStepSummaryDto } from './step.dto.js';
import { Steps } from './steps.js';

const StepNameParam = ApiParam({
  name: 'name',
  schema: { type: 'string', pattern: STEP_NAME.source, maxLength: 128 },
  description: 'Names the step within the run, such as `charge the card`.',
});

/** @throws validation_failed */
function requireStepName(name: string): void {
  if (STEP_NAME.test(name)) return;
  const message =
    'must be 1 to 128 characters, all of them visible or spaces, and begin with neither a space nor a dot';
  throw new ServiceError('validation_failed', { details: [{ path: 'name', message }] });
}

@ApiTags('Jobs')
@Controller('jobs/v1/runs/:id/steps')
export class StepsController {
  constructor(private readonly steps: Steps) {}

  @Endpoint.put(':name', {
    access: 'jobs:runs:report',
    runTokens: 'attempt',
    summary: 'Keep what a handler has done',
    description:
      'By the token with which the handler of this run was called, even once it has expired. A step is kept once for each name: for one that the run ' +
      'has, the answer is the step that it has, whatever valid value the body has. Later attempts of the run read it and need not ' +
      'do the same again. A run keeps 1,000 steps. For a deferred attempt, this is a sign of life.',
    response: StepDto,
    errors: [
      'validation_failed',
      'run_token_required',
      'limit_reached',
      'run_not_found',
      'attempt_ended',
      'run_cancelled',
      'payload_too_large',
    ],
  })
  @StepNameParam
  @TakesBody('value')
  async keep(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('name') name: string,
    @Body() _body: KeepStepBody,
    @BodyMemberText('value') value: string | null,
  ): Promise<StepDto> {
    const attempt = requireOwnRun(tenant, caller, id);
    requireStepName(name);
    if (value === null)
      throw new ServiceError('validation_failed', { details: [{ path: 'value', message: 'is required' }] });
    return toStepDto(await this.steps.keep(attempt, name, value));
  }

  @Endpoint.get('', {
    access: 'jobs:runs:read',
    summary: 'What the handler of a run has kept, without the values',
    description: 'The earliest first.',
    response: [StepSummaryDto],
    errors: ['run_not_found'],
  })
  async list(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<StepSummaryDto[]> {
    requireFullReach(tenant);
    return (await this.steps.list(tenant.id, id)).map(toStepSummaryDto);
  }

  @Endpoint.get(':name', {
    access: 'jobs:runs:read',
    runTokens: 'attempt_or_permission',
    summary: 'A step of a run with its value',
    description:
      'A handler reads the steps of its own run while its attempt goes on, by the token of the call, even once it has expired.',
    response: StepDto,
    errors: [
      'validation_failed',
      'run_token_required',
      'run_not_found',
      'step_not_found',
      'attempt_ended',
      'run_cancelled',
    ],
  })
  @StepNameParam
  async show(
    @CurrentTenant() tenant: Tenant,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('name') name: string,
  ): Promise<StepDto> {
    // The guards let pass a token of an attempt that is over, so it reads nothing else.
    const refusal = 'A run token reads the steps of its own run alone.';
    const own = caller.type === 'run' ? requireOwnRun(tenant, caller, id, refusal) : null;
    if (own === null) requireFullReach(tenant);
    requireStepName(name);
    return toStepDto(
      own === null ? await this.steps.find(tenant.id, id, name) : await this.steps.findOwn(own, name),
    );
  }
}
