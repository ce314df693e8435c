import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentCaller, CurrentTenant, Endpoint, RequestOrigin } from '../../../platform/http/index.js';
import type { Caller, Origin, Tenant } from '../../../platform/http/index.js';
import { RunDto, toRunDto } from './dto/run.js';
import { RunCancellation } from '../finish/run-cancellation.js';
import { Runs } from './runs.js';

@ApiTags('Jobs')
@Controller('jobs/v1')
export class RunCancellationController {
  constructor(
    private readonly cancellation: RunCancellation,
    private readonly runs: Runs,
  ) {}

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
}
